import { z } from 'zod';
import { listDoNotCall } from '../../db/queries/accounts/do-not-call.js';
import { searchText } from '../batch-calls/filters.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { DoNotCallEntry, doNotCallBody } from './schema.js';

/** GET /v1/do-not-call */
export const listDoNotCallEntries = operation({
  name: 'doNotCall.list',
  method: 'GET',
  url: '/v1/do-not-call',
  family: 'account',
  tag: 'Do-not-call list',
  schema: {
    summary: 'List the do-not-call list',
    description: 'Newest first; numbers that were added together are in the order of their digits.',
    query: z.object({ ...pageQuery, search: searchText('Part of the number, or of the reason in any casing') }),
    response: { 200: pageOf(DoNotCallEntry) },
  },

  async handler({ query, caller }, { database: { db } }) {
    const { total, rows } = await listDoNotCall(db, caller.accountId, query.search, rowsOfPage(query));
    return { status: 200, body: pageBody(query, total, rows.map(doNotCallBody)) };
  },
});
