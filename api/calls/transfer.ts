import { z } from 'zod';
import type { Db } from '../../db/client.js';
import { requestTransfer } from '../../db/queries/call-control.js';
import { isOnDoNotCallList } from '../../db/queries/calls-api.js';
import { conflict, forbidden } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { e164Problem } from '../../domain/phone-number.js';
import { requireAllowedDestination } from '../account/guardrail-check.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { callNow, lockOpenCall } from './find.js';
import { callAnswer, callBody } from './schema.js';

/** User and host, nothing that would add headers or parameters of the caller's own to the REFER. */
const targetUri = /^(?:sips?:[A-Za-z0-9._~!$&'*+()-]{1,128}@[A-Za-z0-9.-]{1,255}(?::\d{1,5})?|tel:\+[1-9]\d{6,14})$/;

const transferTo = z
  .string()
  .max(300)
  .superRefine((value, context) => {
    if (targetUri.test(value) || e164Problem(value) === null) return;
    const message = 'must be an E.164 number with the +, or a URI such as sip:desk@pbx.example.com';
    context.addIssue({ code: 'custom', message });
  });

/** The number that a target makes the carrier call; null for a desk or an extension. */
const numberOf = (target: string): string | null =>
  /^(?:sips?:|tel:)?(\+[1-9]\d{6,14})(?:@|$)/.exec(target)?.[1] ?? null;

const obstacles = {
  not_answered: 'Only an answered call can be transferred',
  being_hung_up: 'The call is being hung up',
  being_transferred: 'The call is being transferred already',
};

/**
 * A transfer makes the carrier call the target on the account's bill: what no call may reach, no transfer may.
 *
 * @throws Failure `forbidden`
 */
async function requireTransferTarget(tx: Db, accountId: string, callId: string, to: string | null): Promise<void> {
  if (to === null) return;
  if (await isOnDoNotCallList(tx, accountId, to)) throw forbidden(`${to} is on the do-not-call list`);
  const { call } = await callNow(tx, accountId, callId);
  await requireAllowedDestination(tx, accountId, { from: call.from_number, to });
}

/** POST /v2/sip/call/transfer */
export const transferCall = operation({
  method: 'POST',
  url: '/v2/sip/call/transfer',
  family: 'sip',
  tag: 'Calls',
  schema: {
    summary: 'Transfer a call',
    description:
      'Cold transfer of an answered call by SIP REFER: the carrier connects the callee to the target and the agent leaves. ' +
      'Answered at once, with `transfer-initiated` in the timelog; `transferred` follows, and the call ends with the ' +
      'reason `transferred`, or `transfer-failed`, and it goes on. One REFER is sent for one request, also where the ' +
      'dialer dies meanwhile. 403: the target is a number on the do-not-call list, or one that the account’s guardrails do ' +
      'not allow (country, premium rate, satellite). 409 where the call is not answered, is over, or is being hung up or transferred.',
    body: z
      .strictObject({
        callId: z.string().describe('Id of the call, `call_…`'),
        transferTo: transferTo.describe('E.164 with the +, or a `sip:`, `sips:` or `tel:` URI'),
      })
      .meta({ examples: [{ callId: 'call_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e52', transferTo: '+912250000009' }] }),
    response: { 200: callAnswer('The call is being transferred.') },
    errors: [403, 404, 409],
  },

  async handler({ body, caller }, { database: { db } }) {
    const { accountId } = caller;
    const found = await db.transaction().execute(async (tx) => {
      const { id } = await lockOpenCall(tx, accountId, body.callId);
      await requireTransferTarget(tx, accountId, id, numberOf(body.transferTo));
      const obstacle = await requestTransfer(tx, accountId, id, body.transferTo);
      if (obstacle !== null) throw conflict(obstacles[obstacle]);
      await recordAudit(tx, caller, 'call.transfer', formatId('call', id), { transferTo: body.transferTo });
      return callNow(tx, accountId, id);
    });
    return { status: 200, body: { message: 'The call is being transferred.', data: callBody(found) } };
  },
});
