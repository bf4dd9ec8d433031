import { z } from 'zod';
import { type AuditRow, listAuditEntries } from '../../db/queries/accounts/audit-log.js';
import { epochMilliseconds } from '../batch-calls/filters.js';
import { instant, ownData } from '../fields.js';
import { operation } from '../operation.js';
import { cursorQuery, walk, wholeNumberText } from '../cursor.js';
import { pageOf } from '../pagination.js';

const AuditEntry = z
  .strictObject({
    id: z.string().describe('Later entries have a larger number'),
    keyId: z.string().optional().describe('The API key that asked; omitted if the service or its operator did it'),
    action: z.string().describe('`<resource>.<verb>`, such as `batch-call.cancel`'),
    target: z.string().describe('Id of what was changed'),
    address: z.string().optional().describe('Network address that the request came from'),
    details: ownData().describe('Facts beside it; never secrets or a callee’s data'),
    createdAt: instant().describe('When it was done'),
  })
  .meta({
    id: 'AuditEntry',
    examples: [
      {
        id: '4711',
        keyId: 'key_0198c0e4-3c5d-7a10-8f21-6b7c8d9e0f1a',
        action: 'batch-call.cancel',
        target: 'batch_0198c0e5-72b3-7d44-9c01-1a2b3c4d5e6f',
        address: '203.0.113.17',
        details: { mode: 'graceful' },
        createdAt: '2026-03-02T09:41:55.102Z',
      },
    ],
  });

const entryBody = (row: AuditRow) => ({
  id: row.id,
  ...(row.key_id === null ? {} : { keyId: row.key_id }),
  action: row.action,
  target: row.target,
  ...(row.address === null ? {} : { address: row.address }),
  details: { ...(row.details as object) },
  createdAt: row.at.toISOString(),
});

const actions = z
  .union([z.string(), z.array(z.string())])
  .default('')
  .transform((sent) => [sent].flat().flatMap((text) => text.split(',')))
  .transform((words) => words.map((word) => word.trim()).filter((word) => word !== ''))
  .describe('Actions such as `agent.deploy`, or all of a resource such as `agent`; comma-separated');

/** GET /v1/account/audit-log */
export const listAuditLog = operation({
  name: 'auditLog.list',
  method: 'GET',
  url: '/v1/account/audit-log',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'List who changed what, newest first',
    description:
      'One entry for each operation that changed something, written in the same transaction as the change. Entries ' +
      'are never changed.',
    query: z.object({
      ...cursorQuery,
      action: actions,
      target: z.string().optional().describe('Only what was done to the resource of this id'),
      keyId: z.string().optional().describe('Only what this API key did'),
      startDate: epochMilliseconds('Only entries of this time or later, in milliseconds since 1970'),
      endDate: epochMilliseconds('Only entries of this time or earlier, in milliseconds since 1970'),
    }),
    response: { 200: pageOf(AuditEntry) },
  },

  async handler({ query, caller: { accountId } }, { database }) {
    const { action, target, keyId, startDate, endDate } = query;
    const filter = { actions: action, target, keyId, from: startDate, until: endDate };
    const { rows, body } = walk(query, { accountId, list: 'audit-log', filter }, wholeNumberText);
    const { total, entries, next } = await listAuditEntries(database.db, accountId, filter, rows);
    return { status: 200, body: body(total, next, entries.map(entryBody)) };
  },
});
