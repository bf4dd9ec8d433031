import { z } from 'zod';
import { numberTimeZones } from '../../contacts/number-time-zones.js';
import { takeDialingLock } from '../../db/queries/dialer/dialing-lock.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { gatewaysOfNumbers } from '../../db/queries/telephony/gateways.js';
import { factsOfNumbers, outboundGatewaysOf, setNumberLimits } from '../../db/queries/telephony/number-limits.js';
import { lockNumberForUpdate, renameNumbers } from '../../db/queries/telephony/phone-numbers.js';
import { timeZonesOf } from '../../domain/phone/phone-time-zones.js';
import { recordAudit } from '../audit.js';
import { text } from '../fields.js';
import { operation } from '../operation.js';
import { noSuchNumber, NumberParams } from './missing.js';
import { PhoneNumber, phoneNumberBody } from './schema.js';

const UpdatePhoneNumber = z
  .strictObject({
    name: text(256).optional().describe('Its name'),
    maxCallsPerDay: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullish()
      .describe('Most calls a day from this number; null: no limit'),
    minSecondsBetweenCalls: z
      .int()
      .min(1)
      .max(86_400)
      .nullish()
      .describe('Least time from one call of this number to its next; null: none'),
  })
  .meta({ id: 'UpdatePhoneNumber', examples: [{ maxCallsPerDay: 200, minSecondsBetweenCalls: 5 }] });

/** PATCH /v2/sip/phone-numbers/{phoneNumberId} */
export const updatePhoneNumber = operation({
  name: 'phoneNumbers.update',
  method: 'PATCH',
  url: '/v2/sip/phone-numbers/:phoneNumberId',
  family: 'sip',
  tag: 'Phone numbers',
  schema: {
    summary: 'Change the name or the limits of a phone number',
    description:
      'The limits hold over everything that calls from the number: single calls, batch calls and retries, each INVITE ' +
      'counted. Once this is answered no call breaks them. What would is not lost: it waits, with the reason ' +
      '`number_limit`, and a single call expires after 60 s as always. A day begins at midnight in `timezone`. A number ' +
      'that gets its first limit begins with the calls that it has made today.',
    params: NumberParams,
    body: UpdatePhoneNumber,
    response: { 200: PhoneNumber },
  },

  async handler({ params, body, caller }, { database: { db } }) {
    const { accountId } = caller;
    const { name, ...limits } = body;
    const setsLimits = Object.values(limits).some((limit) => limit !== undefined);
    const { answer, gatewayIds } = await db.transaction().execute(async (tx) => {
      const number = await lockNumberForUpdate(tx, accountId, params.phoneNumberId);
      if (number === null) throw noSuchNumber();
      if (name !== undefined) await renameNumbers(tx, accountId, [number.id], name);
      if (setsLimits) {
        // Gates that do not know yet that the number is counted have committed after this.
        await takeDialingLock(tx, accountId);
        const [timezone = 'UTC'] = timeZonesOf(number.e164, numberTimeZones());
        await setNumberLimits(tx, accountId, number, limits, timezone);
      }
      await recordAudit(tx, caller, 'phone-number.update', number.id, { fields: Object.keys(body) });
      const changed = await lockNumberForUpdate(tx, accountId, number.id);
      const facts = await factsOfNumbers(tx, accountId, [number.e164]);
      const gateways = await gatewaysOfNumbers(tx, accountId, [number.id]);
      return {
        answer: phoneNumberBody(changed ?? number, gateways.get(number.id), facts.get(number.e164)),
        gatewayIds: setsLimits ? await outboundGatewaysOf(tx, accountId, number.id) : [],
      };
    });
    await wakeGateways(db, gatewayIds);
    return { status: 200, body: answer };
  },
});
