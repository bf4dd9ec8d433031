import type { CallFilter } from '../api/call.js';
import type { Schemas } from '../api/client.js';
import { momentOf, numberOf, rangeOf, textOf, wordsOf } from '../app/search.js';
import { usualPerPage } from '../ui/usual.js';

/** Statuses of a call, from those that go on to those that are over. */
export const callStatuses = [
  ...(['initiated', 'incoming', 'ringing', 'answered', 'ended'] as const),
  ...(['not-answered', 'rejected', 'missed', 'failed', 'abandoned'] as const),
] as const satisfies readonly Schemas['CallStatus'][];

/** Who called, in words. */
export const directions = [
  { value: 'outbound', words: 'outbound' },
  { value: 'inbound', words: 'inbound' },
] as const;

/** Whether there is a recording, in words. */
export const recordings = [
  { value: 'true', words: 'recorded' },
  { value: 'false', words: 'not recorded' },
] as const;

type Direction = (typeof directions)[number]['value'];

/** What only a link to this page sets, with what it says of the calls. */
export const origins = [
  { name: 'batchId', words: 'of the batch call' },
  { name: 'gatewayId', words: 'through the gateway' },
  { name: 'ruleId', words: 'by the routing rule' },
] as const;

/** What the list of calls shows, as its address says it. */
export interface CallsSearch {
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  readonly search?: string | undefined;
  readonly agentId?: string | undefined;
  readonly transcript?: string | undefined;
  readonly duration?: string | undefined;
  readonly hasRecording?: (typeof recordings)[number]['value'] | undefined;
  readonly batchId?: string | undefined;
  readonly gatewayId?: string | undefined;
  readonly ruleId?: string | undefined;
  /** First and last minute in which they were made, in the viewer's time zone. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** The statuses that an address names. */
export const statusesOf = (status: string | undefined) => wordsOf(status, callStatuses) ?? [];

/** The directions that an address names. */
export const directionsOf = (type: string | undefined): readonly Direction[] =>
  wordsOf(
    type,
    directions.map(({ value }) => value),
  ) ?? [];

/** Reads the search parameters of the address, and drops what the page does not know. */
export const callsSearch = (search: Record<string, unknown>): CallsSearch => ({
  status: textOf(statusesOf(textOf(search.status)).join(',')),
  type: textOf(directionsOf(textOf(search.type)).join(',')),
  search: textOf(search.search),
  agentId: textOf(search.agentId),
  transcript: textOf(search.transcript),
  duration: rangeOf(search.duration),
  hasRecording: recordings.find(({ value }) => value === search.hasRecording)?.value,
  batchId: textOf(search.batchId),
  gatewayId: textOf(search.gatewayId),
  ruleId: textOf(search.ruleId),
  from: momentOf(search.from),
  until: momentOf(search.until),
  page: numberOf(search.page),
  perPage: numberOf(search.perPage),
});

const lastMsOfMinute = 59_999;

/** What the API is asked for. A minute begins and ends in the viewer's time zone. */
export function filterOf({ from, until, page, perPage, ...same }: CallsSearch): CallFilter {
  const set = Object.entries(same).filter(([, value]) => value !== undefined);
  return {
    page: page ?? 1,
    perPage: Math.min(perPage ?? usualPerPage, 100),
    ...Object.fromEntries(set),
    ...(from === undefined ? {} : { startDate: String(new Date(from).getTime()) }),
    ...(until === undefined ? {} : { endDate: String(new Date(until).getTime() + lastMsOfMinute) }),
  };
}
