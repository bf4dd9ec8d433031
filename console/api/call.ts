import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answered, client } from './client.js';
import { pollMs } from './queries.js';

/** How often a call that goes on is asked for. */
const callPollMs = 1_000;

/** One call, until it is over. */
export const callQuery = (callId: string) =>
  queryOptions({
    queryKey: ['call', callId],
    queryFn: () => answered(client.GET('/v2/sip/call/{callId}', { params: { path: { callId } } })),
    refetchInterval: ({ state }) => {
      const status = state.data?.data.status;
      return status === undefined || ['initiated', 'ringing', 'answered'].includes(status) ? callPollMs : false;
    },
  });

/** Which calls to list. Those that are sent together must all hold. */
export interface CallFilter {
  readonly status?: string;
  readonly type?: string;
  readonly search?: string;
  readonly agentId?: string;
  /** Words said in the call. */
  readonly transcript?: string;
  /** A range of seconds. */
  readonly duration?: string;
  readonly hasRecording?: 'true' | 'false';
  readonly batchId?: string;
  readonly gatewayId?: string;
  readonly ruleId?: string;
  /** Created at this time or later, in milliseconds since 1970. */
  readonly startDate?: string;
  /** Created at this time or earlier, in milliseconds since 1970. */
  readonly endDate?: string;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/** GET /v2/sip/call */
export const callsQuery = (filter: CallFilter) =>
  queryOptions({
    queryKey: ['calls', filter],
    queryFn: () => answered(client.GET('/v2/sip/call', { params: { query: { ...filter } } })),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
