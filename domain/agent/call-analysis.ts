/**
 * Why an answered call has no analysis although its agent analyzes (`calls.analysis_error`, and `analysisError` of the webhook).
 * `invalid_answer`: what the model answered did not fit the schema, three times.
 */
export const analysisErrors = [
  'no_transcript',
  'no_key',
  'unknown_model',
  'unauthorized',
  'refused',
  'invalid_answer',
  'unavailable',
] as const;
export type AnalysisError = (typeof analysisErrors)[number];

/** One thing to be found out in a call (`analysis.schema.properties` of an agent's config). */
export interface AnalysisProperty {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly description?: string | undefined;
  /** The texts that it can be. */
  readonly enum?: readonly string[] | undefined;
  /** A day, `YYYY-MM-DD`. */
  readonly format?: 'date' | undefined;
}

/** What is to be found out: a flat JSON Schema object. */
export interface AnalysisSchema {
  readonly properties: Readonly<Record<string, AnalysisProperty>>;
  readonly required?: readonly string[] | undefined;
}

/** What was found out, by the names of the properties. One that the call does not tell is omitted. */
export type Analysis = Readonly<Record<string, string | number | boolean>>;

/** Whether the call achieved its purpose: the value of the property that the config names; null if it has none. */
export function successOf(analysis: Analysis, property: string | undefined): boolean | null {
  if (property === undefined || !Object.hasOwn(analysis, property)) return null;
  const value = analysis[property];
  return typeof value === 'boolean' ? value : null;
}
