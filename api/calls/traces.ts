import { z } from 'zod';
import { modelUsageOfCalls } from '../../db/queries/calls/model-usage.js';
import { timingsOfCalls } from '../../db/queries/calls/agent-runs.js';
import type { Db } from '../../db/client.js';
import { instant } from '../fields.js';
import { UsedModel, usedModelBody } from '../model-usage.js';

const Timings = z
  .strictObject({
    answeredToSpeechMs: z
      .int()
      .optional()
      .describe('From the carrier’s 200 to the first sound that the agent sent; left out if it has no greeting'),
    turns: z
      .array(
        z.strictObject({
          at: instant().describe('When the agent began to answer'),
          ms: z.int().describe('Since the other side had stopped speaking'),
        }),
      )
      .describe('Answers of the agent, in order'),
  })
  .meta({ id: 'CallTimings' });

/** What the agent leaves behind of a call besides its words. */
export const callTraceFields = {
  usage: z
    .array(UsedModel)
    .optional()
    .describe('What models were used for, summary included; it grows with the call. Simulated calls have none'),
  timings: Timings.optional().describe('How long the agent let people wait, in milliseconds; it grows with the call'),
};

export const callTraceExample = {
  usage: [
    { kind: 'llm' as const, model: 'openai/gpt-4.1-mini', inputTokens: 1840, outputTokens: 96 },
    { kind: 'stt' as const, model: 'deepgram/nova-3', audioSeconds: 41.8 },
    { kind: 'tts' as const, model: 'cartesia/sonic-2', audioSeconds: 16.2, characters: 248 },
  ],
  timings: { answeredToSpeechMs: 412, turns: [{ at: '2026-03-02T09:30:14.120Z', ms: 870 }] },
};

type Traces = z.output<z.ZodObject<typeof callTraceFields>>;

/** @param callId the bare UUID */
export async function callTraces(db: Db, accountId: string, callId: string): Promise<Traces> {
  const [usage, timings] = await Promise.all([
    modelUsageOfCalls(db, accountId, [callId]),
    timingsOfCalls(db, accountId, [callId]),
  ]);
  const [used, measured] = [usage.get(callId), timings.get(callId)];
  const { answeredToSpeechMs = null, turns = [] } = measured ?? {};
  return {
    ...(used === undefined ? {} : { usage: used.map(usedModelBody) }),
    ...(answeredToSpeechMs === null && turns.length === 0
      ? {}
      : { timings: { ...(answeredToSpeechMs === null ? {} : { answeredToSpeechMs }), turns: [...turns] } }),
  };
}
