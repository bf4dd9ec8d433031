import { z } from 'zod';
import { analysisErrors } from '../domain/agent/call-analysis.js';

const Analysis = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({
  id: 'CallAnalysis',
  description: 'What was found out in the call, by the properties of `analysis.schema` of its agent',
});

const AnalysisError = z
  .string()
  .meta({ id: 'AnalysisError', description: `Why there is no analysis: ${analysisErrors.join(', ')}` });

/** What answers and webhooks say of a call's analysis. */
export const analysisFields = {
  analysis: Analysis.optional(),
  success: z.boolean().optional().describe('Value of the property that `analysis.success` of the agent names'),
  analysisError: AnalysisError.optional(),
};

/** A call's columns of the same. */
export interface StoredAnalysis {
  readonly analysis: unknown;
  readonly success: boolean | null;
  readonly analysisError: string | null;
}

export const analysisBody = ({ analysis, success, analysisError }: StoredAnalysis) => ({
  ...(analysis === null ? {} : { analysis: Analysis.parse(analysis) }),
  ...(success === null ? {} : { success }),
  ...(analysisError === null ? {} : { analysisError }),
});
