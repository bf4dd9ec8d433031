import { gatewaysOfNumbers } from '../../db/queries/telephony/gateways.js';
import { factsOfNumbers } from '../../db/queries/telephony/number-limits.js';
import { findNumber } from '../../db/queries/telephony/phone-numbers.js';
import { operation } from '../operation.js';
import { noSuchNumber, NumberParams } from './missing.js';
import { PhoneNumber, phoneNumberBody } from './schema.js';

/** GET /v2/sip/phone-numbers/{phoneNumberId} */
export const getPhoneNumber = operation({
  name: 'phoneNumbers.get',
  method: 'GET',
  url: '/v2/sip/phone-numbers/:phoneNumberId',
  family: 'sip',
  tag: 'Phone numbers',
  schema: {
    summary: 'Get a phone number with its gateways',
    description: 'By its id, or by the number itself. The answer is an item of the list.',
    params: NumberParams,
    response: { 200: PhoneNumber },
  },

  async handler({ params, caller }, { database: { db } }) {
    const number = await findNumber(db, caller.accountId, params.phoneNumberId);
    if (number === null) throw noSuchNumber();
    const gateways = await gatewaysOfNumbers(db, caller.accountId, [number.id]);
    const facts = await factsOfNumbers(db, caller.accountId, [number.e164]);
    return { status: 200, body: phoneNumberBody(number, gateways.get(number.id), facts.get(number.e164)) };
  },
});
