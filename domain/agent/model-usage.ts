/** What a model is used for. A `realtime` model hears and speaks by itself. */
export const usageKinds = ['stt', 'llm', 'tts', 'realtime'] as const;
export type UsageKind = (typeof usageKinds)[number];

/** What one model has used; what its kind does not count is 0. */
export interface ModelUsage {
  readonly kind: UsageKind;
  /** Slug of the catalogue. */
  readonly model: string;
  readonly inputTokens: number;
  /** Of the input tokens, those that the provider had in its cache. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Heard (stt) or made (tts). */
  readonly audioSeconds: number;
  /** Made into speech (tts). */
  readonly characters: number;
}
