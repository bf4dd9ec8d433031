/**
 * Why an answered call has no summary although its agent summarizes (`calls.summary_error`, and the webhook's
 * `summaryError`).
 */
export const summaryErrors = [
  'no_transcript',
  'no_key',
  'unknown_model',
  'unauthorized',
  'refused',
  'empty_answer',
  'unavailable',
] as const;
export type SummaryError = (typeof summaryErrors)[number];
