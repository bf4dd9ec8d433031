import { z } from 'zod';
import { abandonCall, orderHangUp } from '../../db/queries/calls/control.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import type { EndReason } from '../../domain/call/end-reasons.js';
import { endedUndialed } from '../../domain/call/log-lines.js';
import { formatId } from '../../domain/ids.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { callBody } from './bodies.js';
import { callNow, lockOpenCall } from './find.js';
import { CallAnswer } from './schema.js';

const reason = 'ended_by_api' satisfies EndReason;

/**
 * POST /v2/sip/call/end
 *
 * The call's lock decides between an end and the gate: either the call is settled and no gate lets it through, or its leg
 * is hung up, and hung up again by whichever dialer holds it until it is over.
 */
export const endCall = operation({
  name: 'calls.end',
  method: 'POST',
  url: '/v2/sip/call/end',
  family: 'sip',
  tag: 'Calls',
  schema: {
    summary: 'End a call',
    description:
      'Hangs up a call, single or of a batch; it is not retried, whatever `retry` says. A call that is not dialed ' +
      'yet, or waits for a retry, is `abandoned` at once. A live one is hung up: the answer shows it as it is at ' +
      'that moment, and it becomes `abandoned` if it was not answered, else `ended`, with `reason` `ended_by_api`. ' +
      'Ending it again while it is being hung up changes nothing; 409 once it is over.',
    body: z
      .strictObject({ callId: z.string().describe('Id of the call, `call_…`') })
      .meta({ examples: [{ callId: 'call_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e52' }] }),
    response: { 200: CallAnswer },
    errors: [404, 409],
  },

  async handler({ body: { callId }, caller }, { database: { db }, logger }) {
    const { accountId } = caller;
    const { call, live, found } = await db.transaction().execute(async (tx) => {
      const call = await lockOpenCall(tx, accountId, callId);
      const live = await orderHangUp(tx, call.id, reason);
      if (!live) await abandonCall(tx, call, reason);
      await recordAudit(tx, caller, 'call.end', formatId('call', call.id));
      return { call, live, found: await callNow(tx, accountId, call.id) };
    });
    if (!live) {
      // The end of a live one is logged by the dialer that hangs it up.
      logger.info(
        { accountId, ...(call.batchId === null ? {} : { batchId: call.batchId }), callId, reason },
        endedUndialed,
      );
      await wakeGateways(db, [call.gatewayId]);
    }
    const message = live ? 'The call is being hung up.' : 'The call has been ended.';
    return { status: 200, body: { message, data: callBody(found) } };
  },
});
