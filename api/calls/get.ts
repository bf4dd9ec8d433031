import { z } from 'zod';
import { findCall } from '../../db/queries/calls-api.js';
import { notFound } from '../../domain/errors.js';
import { uuidOf } from '../../domain/ids.js';
import { operation } from '../operation.js';
import { CallDetail, callDetailBody } from './schema.js';

/** GET /v2/sip/call/{callId} */
export const getCall = operation({
  method: 'GET',
  url: '/v2/sip/call/:callId',
  family: 'sip',
  tag: 'Calls',
  schema: {
    summary: 'Get a call with its attempts',
    description: 'Calls of a batch are found as well: `rec_` and `call_` before the same UUID name one thing.',
    params: z.object({ callId: z.string().describe('Id of the call, `call_…`') }),
    response: { 200: z.strictObject({ data: CallDetail.describe('The call as it is now') }) },
  },

  async handler({ params, caller }, { database }) {
    const id = uuidOf('call', params.callId);
    const found = id === null ? null : await findCall(database.db, caller.accountId, id);
    if (found === null) throw notFound('Call not found');
    return { status: 200, body: { data: callDetailBody(found) } };
  },
});
