import { z } from 'zod';
import { detachNumber } from '../../db/queries/telephony/gateways-change.js';
import { lockNumberForUpdate } from '../../db/queries/telephony/phone-numbers.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { e164 } from '../fields.js';
import { operation } from '../operation.js';
import { noSuchNumber } from './missing.js';
import { refuseWhileCalling } from './unused.js';

const Body = z
  .strictObject({ phoneNumber: e164().describe('The number to take off its gateways, E.164') })
  .meta({ examples: [{ phoneNumber: '+14155550100' }] });

/** POST /v2/sip/phone-numbers/detach */
export const detachPhoneNumber = operation({
  name: 'phoneNumbers.detach',
  method: 'POST',
  url: '/v2/sip/phone-numbers/detach',
  family: 'sip',
  tag: 'Phone numbers',
  schema: {
    summary: 'Take a number off its gateways',
    description:
      'The number stays on the account and can be registered again. Other numbers of a shared gateway keep it; a ' +
      'gateway made by registering numbers is deleted with the last of them, unless a call through it is not over: ' +
      'then it can be deleted later. A number without gateways gets the same answer. 409 while an unfinished batch ' +
      'call calls from it.',
    body: Body,
    response: { 200: doneWith('+912250000001 has no gateways any more.') },
    errors: [404, 409],
  },

  async handler({ body, caller }, { database: { db } }) {
    const { accountId } = caller;
    await db.transaction().execute(async (tx) => {
      const number = await lockNumberForUpdate(tx, accountId, body.phoneNumber);
      if (number === null) throw noSuchNumber();
      await refuseWhileCalling(tx, accountId, number);
      const gateways = await detachNumber(tx, accountId, number.id);
      await recordAudit(tx, caller, 'phone-number.detach', number.id, { phoneNumber: number.e164, gateways });
    });
    return { status: 200, body: { message: `${body.phoneNumber} has no gateways any more.` } };
  },
});
