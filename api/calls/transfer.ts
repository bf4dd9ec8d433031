import { z } from 'zod';
import { orderTransfer } from '../../db/queries/calls/order-transfer.js';
import { formatId } from '../../domain/ids.js';
import { isTransferTarget } from '../../domain/call/transfer-target.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { callNow, lockOpenCall } from './find.js';
import { callAnswer, callBody } from './schema.js';

const transferTo = z
  .string()
  .max(300)
  .refine(
    isTransferTarget,
    'must be an E.164 number with the +, or a URI such as sip:desk@pbx.example.com; a number in a URI is written as ' +
      'E.164 too, and an extension has at most 6 digits',
  );

/** POST /v2/sip/call/transfer */
export const transferCall = operation({
  name: 'calls.transfer',
  method: 'POST',
  url: '/v2/sip/call/transfer',
  family: 'sip',
  tag: 'Calls',
  schema: {
    summary: 'Transfer a call',
    description:
      'Cold transfer of an answered call by SIP REFER: the carrier connects the callee to the target and the agent ' +
      'leaves. Answered at once, with `transfer-initiated` in the timelog; `transferred` follows, and the call ends ' +
      'with the reason `transferred`, or `transfer-failed`, and it goes on. One request sends one REFER, even if ' +
      'the dialer dies meanwhile. A `sip:` target names a desk, an extension of at most 6 digits, or a number as ' +
      'E.164: digits that a carrier could read as another number, and emergency numbers, are 400. 403: the target ' +
      'is a number on the do-not-call list, or one that the account’s guardrails do not allow (country, premium ' +
      'rate, satellite), or all dialing of the account is stopped. 409 if the call is not answered, is over, or is ' +
      'being hung up or transferred.',
    body: z
      .strictObject({
        callId: z.string().describe('Id of the call, `call_…`'),
        transferTo: transferTo.describe('E.164 with the +, or a `sip:`, `sips:` or `tel:` URI'),
      })
      .meta({ examples: [{ callId: 'call_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e52', transferTo: '+14155550109' }] }),
    response: { 200: callAnswer('The call is being transferred.') },
    errors: [403, 404, 409],
  },

  async handler({ body, caller }, { database: { db } }) {
    const { accountId } = caller;
    const found = await db.transaction().execute(async (tx) => {
      const { id } = await lockOpenCall(tx, accountId, body.callId);
      await orderTransfer(tx, { accountId, callId: id, to: body.transferTo });
      await recordAudit(tx, caller, 'call.transfer', formatId('call', id), { transferTo: body.transferTo });
      return callNow(tx, accountId, id);
    });
    return { status: 200, body: { message: 'The call is being transferred.', data: callBody(found) } };
  },
});
