import { detachNumber } from '../../db/queries/telephony/gateways-change.js';
import { deleteNumber, lockNumberForUpdate, ruleOfNumber } from '../../db/queries/telephony/phone-numbers.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { noSuchNumber, NumberParams } from './missing.js';
import { refuseWhileCalling } from './unused.js';

/** POST /v2/sip/phone-numbers/{phoneNumberId}/release */
export const releasePhoneNumber = operation({
  name: 'phoneNumbers.release',
  method: 'POST',
  url: '/v2/sip/phone-numbers/:phoneNumberId/release',
  family: 'sip',
  tag: 'Phone numbers',
  schema: {
    summary: 'Take a number off the account',
    description:
      'Detaches the number and removes it; its past calls stay. 409 while an unfinished batch call calls from it or a ' +
      'routing rule is attached to it.',
    params: NumberParams,
    response: { 200: doneWith('+912250000001 is no longer on the account.') },
    errors: [409],
  },

  async handler({ params, caller }, { database: { db } }) {
    const { accountId } = caller;
    const e164 = await db.transaction().execute(async (tx) => {
      const number = await lockNumberForUpdate(tx, accountId, params.phoneNumberId);
      if (number === null) throw noSuchNumber();
      await refuseWhileCalling(tx, accountId, number);
      const ruleId = await ruleOfNumber(tx, accountId, number.id);
      if (ruleId !== null) {
        throw conflict(`${number.e164} is attached to the routing rule ${ruleId}. Take it off the rule first.`);
      }
      await detachNumber(tx, accountId, number.id);
      await deleteNumber(tx, accountId, number.id);
      await recordAudit(tx, caller, 'phone-number.release', number.id, { phoneNumber: number.e164 });
      return number.e164;
    });
    return { status: 200, body: { message: `${e164} is no longer on the account.` } };
  },
});
