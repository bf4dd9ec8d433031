import { z } from 'zod';
import { listDoNotCall } from '../../db/queries/accounts/do-not-call.js';
import { searchText } from '../batch-calls/filters.js';
import { operation } from '../operation.js';
import { cursorQuery, instantAndId, walk } from '../cursor.js';
import { pageOf } from '../pagination.js';
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
    query: z.object({ ...cursorQuery, search: searchText('Part of the number, or of the reason in any casing') }),
    response: { 200: pageOf(DoNotCallEntry) },
  },

  async handler({ query, caller: { accountId } }, { database: { db } }) {
    const { search } = query;
    const page = walk(query, { accountId, list: 'do-not-call', filter: { search } }, instantAndId);
    const { total, rows, next } = await listDoNotCall(db, accountId, search, page.rows);
    return { status: 200, body: page.body(total, next, rows.map(doNotCallBody)) };
  },
});
