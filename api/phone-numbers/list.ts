import { z } from 'zod';
import { gatewaysOfNumbers } from '../../db/queries/telephony/gateways.js';
import { factsOfNumbers } from '../../db/queries/telephony/number-limits.js';
import { listNumbers } from '../../db/queries/telephony/phone-numbers.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { examplePhoneNumber, PhoneNumber, phoneNumberBody } from './schema.js';

const Query = z.object({
  ...pageQuery,
  search: z.string().max(256).optional().describe('Part of the number or name, in any casing'),
});

/** GET /v2/sip/phone-numbers */
export const listPhoneNumbers = operation({
  name: 'phoneNumbers.list',
  method: 'GET',
  url: '/v2/sip/phone-numbers',
  family: 'sip',
  tag: 'Phone numbers',
  schema: {
    summary: 'List phone numbers with their gateways',
    description: 'Newest first.',
    query: Query,
    response: {
      200: pageOf(PhoneNumber).meta({
        examples: [{ pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 1 }, data: [examplePhoneNumber] }],
      }),
    },
  },

  async handler({ query, caller }, { database: { db } }) {
    const { total, rows } = await listNumbers(db, caller.accountId, { search: query.search, ...rowsOfPage(query) });
    const gateways = await gatewaysOfNumbers(
      db,
      caller.accountId,
      rows.map(({ id }) => id),
    );
    const facts = await factsOfNumbers(
      db,
      caller.accountId,
      rows.map(({ e164 }) => e164),
    );
    const data = rows.map((row) => phoneNumberBody(row, gateways.get(row.id), facts.get(row.e164)));
    return { status: 200, body: pageBody(query, total, data) };
  },
});
