import { z } from 'zod';
import { findCall } from '../../db/queries/calls/calls.js';
import { operation } from '../operation.js';
import { publicUrl } from '../public-url.js';
import { callUuid, requireCall } from './find.js';
import { callDetailBody } from './bodies.js';
import { CallDetail, callIdParams } from './schema.js';
import { callTraces } from './traces.js';

/** GET /v2/sip/call/{callId} */
export const getCall = operation({
  name: 'calls.get',
  method: 'GET',
  url: '/v2/sip/call/:callId',
  family: 'sip',
  tag: 'Calls',
  schema: {
    summary: 'Get a call with its attempts',
    description: 'For a call of a batch, use the `callId` of its record.',
    params: callIdParams,
    response: { 200: z.strictObject({ data: CallDetail.describe('The call as it is now') }) },
  },

  async handler({ params, caller, raw }, { database, env }) {
    const uuid = callUuid(params.callId);
    const found = requireCall(uuid === null ? null : await findCall(database.db, caller.accountId, uuid));
    const traces = await callTraces(database.db, caller.accountId, found.call.id);
    return { status: 200, body: { data: { ...callDetailBody(found, publicUrl(env, raw)), ...traces } } };
  },
});
