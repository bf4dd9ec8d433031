import { z } from 'zod';
import { orderTransfer } from '../../db/queries/calls/order-transfer.js';
import { formatId } from '../../domain/ids.js';
import { isTransferTarget } from '../../domain/call/transfer-target.js';
import { transferModes, warmTargetNumber } from '../../domain/call/warm-transfer.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { callBody } from './bodies.js';
import { callNow, lockOpenCall } from './find.js';
import { CallAnswer } from './schema.js';

const transferTo = z
  .string()
  .max(300)
  .refine(
    isTransferTarget,
    'must be an E.164 number with the +, or a URI such as sip:desk@pbx.example.com; a number in a URI is written as ' +
      'E.164 too, and an extension has at most 6 digits',
  );

const warmNeedsNumber = 'must be a number for a warm transfer: it is called over a gateway';

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
      'Hands an answered call over. `mode: cold`, the default, is a SIP REFER: the carrier connects both, the ' +
      'agent leaves. `mode: warm`: the callee waits on hold while the number is called by the gateway of ' +
      'the call, or the outbound one of the called number, and the agent says what it is about; it takes the call and ' +
      'both are joined, or the agent comes back. At once the timelog has `transfer-initiated`; then `transferred`, ' +
      'which ends the call if it was cold, or `transfer-failed`, and it goes on; `transfers` says why. One request ' +
      'sends one REFER, or calls once, whatever dies. A `sip:` target is a desk, an extension of up to 6 digits, or ' +
      'an E.164 number: other digits, and emergency numbers, are 400. 403: on the do-not-call list, not allowed by ' +
      'guardrails, or dialing is stopped. 409: not answered, over, being hung up or transferred, handed over; `warm` ' +
      'also: came in and has no agent, or its number no outbound gateway.',
    body: z
      .strictObject({
        callId: z.string().describe('Id of the call, `call_…`'),
        transferTo: transferTo.describe('E.164 with the +, or a `sip:`, `sips:` or `tel:` URI; `warm` takes a number'),
        mode: z.enum(transferModes).default('cold').describe('Whether the agent asks the target first'),
      })
      .superRefine(({ transferTo: target, mode }, context) => {
        if (mode === 'warm' && isTransferTarget(target) && warmTargetNumber(target) === null) {
          context.addIssue({ code: 'custom', path: ['transferTo'], message: warmNeedsNumber });
        }
      })
      .meta({ examples: [{ callId: 'call_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e52', transferTo: '+14155550109' }] }),
    response: { 200: CallAnswer },
    errors: [403, 404, 409],
  },

  async handler({ body, caller }, { database: { db } }) {
    const { accountId } = caller;
    const found = await db.transaction().execute(async (tx) => {
      const { id } = await lockOpenCall(tx, accountId, body.callId);
      await orderTransfer(tx, { accountId, callId: id, to: body.transferTo, mode: body.mode });
      await recordAudit(tx, caller, 'call.transfer', formatId('call', id), {
        transferTo: body.transferTo,
        ...(body.mode === 'warm' ? { mode: body.mode } : {}),
      });
      return callNow(tx, accountId, id);
    });
    return { status: 200, body: { message: 'The call is being transferred.', data: callBody(found) } };
  },
});
