import { z } from 'zod';
import { amountOf } from '../domain/account/money.js';
import { type ModelUsage, usageKinds } from '../domain/agent/model-usage.js';

/** What one model was used for; what it does not count is omitted. */
export const UsedModel = z
  .strictObject({
    kind: z
      .enum(usageKinds)
      .describe('What it did: stt hears, llm finds words (summaries too), tts speaks, realtime does all of it'),
    model: z.string().describe('Slug of the model'),
    inputTokens: z.int().optional().describe('Tokens that went in'),
    cachedInputTokens: z.int().optional().describe('Of these, those that the provider had in its cache'),
    outputTokens: z.int().optional().describe('Tokens that came out'),
    audioSeconds: z.number().optional().describe('Seconds of sound, heard by stt or made by tts'),
    characters: z.int().optional().describe('Characters made into speech by tts'),
    cost: z.number().optional().describe('In a call, if a price fitted'),
  })
  .meta({ id: 'UsedModel' });

const milli = (seconds: number): number => Math.round(seconds * 1000) / 1000;

export function usedModelBody({
  kind,
  model,
  costMicros,
  ...counts
}: ModelUsage & { readonly costMicros?: string }): z.output<typeof UsedModel> {
  const counted = Object.entries({ ...counts, audioSeconds: milli(counts.audioSeconds) }).filter(
    ([, count]) => count !== 0,
  );
  const cost = costMicros === undefined ? {} : { cost: amountOf(costMicros) };
  return { kind, model, ...Object.fromEntries(counted), ...cost };
}
