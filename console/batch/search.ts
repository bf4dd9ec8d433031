import type { FiguresBy } from '../api/batch-queries.js';
import { numberOf } from '../app/search.js';

/** What the figures are split by, with what a line of theirs is called. */
export const splits = [
  { value: 'hour', words: 'hour of the callee', line: 'Dialed from' },
  { value: 'day', words: 'day', line: 'Day of the callee' },
  { value: 'attempt', words: 'attempt', line: 'Attempt' },
  { value: 'status', words: 'how calls ended', line: 'Status' },
  { value: 'reason', words: 'reason', line: 'Reason' },
  { value: 'sipStatusCode', words: 'SIP code', line: 'SIP code' },
  { value: 'answeredBy', words: 'who answered', line: 'Answered by' },
  { value: 'phoneNumber', words: 'number called from', line: 'Number' },
  { value: 'variant', words: 'variant', line: 'Variant' },
] as const satisfies readonly { value: FiguresBy; words: string; line: string }[];

/** The parts of the page of a batch call, beside its overview. */
const views = ['settings', 'left-out', 'webhooks', 'changes'] as const;
export type BatchView = (typeof views)[number];

/** What the page of a batch call shows, as its address says it. */
export interface BatchSearch {
  readonly view?: BatchView | undefined;
  readonly by?: FiguresBy | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const batchSearch = (search: Record<string, unknown>): BatchSearch => ({
  view: views.find((view) => view === search.view),
  by: splits.find(({ value }) => value === search.by)?.value,
  page: numberOf(search.page),
  perPage: numberOf(search.perPage),
});
