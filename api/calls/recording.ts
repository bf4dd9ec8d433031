import { findCall } from '../../db/queries/calls-api.js';
import { conflict, notFound } from '../../domain/errors.js';
import { operation } from '../operation.js';
import { callUuid, requireCall } from './find.js';
import { callIdParams } from './schema.js';

/** GET /v2/sip/call/{callId}/recording */
export const getRecording = operation({
  method: 'GET',
  url: '/v2/sip/call/:callId/recording',
  family: 'sip',
  tag: 'Calls',
  schema: {
    summary: 'Get the recording of a call',
    description:
      'This service keeps no recordings: rules and calls that ask for one are refused when they are made. So the answer ' +
      'is 409 while the call goes on, and 404 once it is over.',
    params: callIdParams,
    response: {},
    errors: [409],
  },

  async handler({ params, caller }, { database }) {
    const uuid = callUuid(params.callId);
    const { call } = requireCall(uuid === null ? null : await findCall(database.db, caller.accountId, uuid));
    if (!call.settled) throw conflict('The call is not over: no recording is stored');
    throw notFound('No recording is stored for this call');
  },
});
