import { z } from 'zod';
import type { Asked, Client, Row } from './client.js';
import type { OperationId } from './operations.js';

const Page = z.looseObject({
  data: z.array(z.record(z.string(), z.unknown())),
  pageInfo: z.looseObject({ currentPage: z.number(), lastPage: z.number(), nextCursor: z.string().optional() }),
});

const mostPerPage = 100;

/** Lists that grow with the years, where rows that come meanwhile must shift no page. */
const withCursor: readonly OperationId[] = [
  'auditLog.list',
  'batchCalls.list',
  'batchCalls.listCorrectedRows',
  'batchCalls.listRecords',
  'batchCalls.listRejectedRows',
  'batchCalls.listWebhookDeliveries',
  'calls.list',
  'doNotCall.list',
];

/** The first rows of a list, over as many pages as that takes; at most `limit`. */
export async function listRows(
  client: Client,
  operation: OperationId,
  limit: number,
  asked: Asked = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let next: Asked['query'] | undefined = withCursor.includes(operation) ? { cursor: '' } : { page: 1 };
  while (next !== undefined && rows.length < limit) {
    const perPage = Math.min(limit, mostPerPage);
    const { data, pageInfo } = Page.parse(
      await client.ask(operation, { ...asked, query: { ...asked.query, perPage, ...next } }),
    );
    rows.push(...data);
    if ('cursor' in next) next = pageInfo.nextCursor === undefined ? undefined : { cursor: pageInfo.nextCursor };
    else next = pageInfo.currentPage < pageInfo.lastPage ? { page: pageInfo.currentPage + 1 } : undefined;
  }
  return rows.slice(0, limit);
}
