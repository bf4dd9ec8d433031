import { queryOptions } from '@tanstack/react-query';
import { answered, client } from './client.js';

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
