import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../db/client.js';
import { allRecords } from '../../../db/queries/batches/record-filter.js';
import { mostSearched } from '../../../db/queries/batches/record-search.js';
import { listRecords, type RecordPage } from '../../../db/queries/batches/records.js';
import { recordSorts, type RecordOrder } from '../../../domain/batch/record-order.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { aRunningBatch } from '../orchestration/running-batch.js';

const records = 2 * mostSearched + 3_000;
const inFile: RecordOrder = { by: 'position', descending: false };

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
let batchId: string;

beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 2, name: 'test' });
  tenant = await aTenant(database.db);
  ({ batchId } = await aRunningBatch(database.db, tenant, 0));
  const last = records - 1;
  await sql`
    insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id, metadata)
    select uuidv7(), ${tenant.accountId}, ${batchId}, i, '+1202' || (2000000 + (i * 7919) % 1000000)::text, ${tenant.number},
      ${tenant.ruleId}, ${tenant.gatewayId}, ${tenant.agentId},
      json_build_object('name', case when i = ${last} then 'Zoë Only' when i % 5000 = 0 then 'Rare' else 'Common' end)
    from generate_series(0, ${last}::integer) i`.execute(database.db);
  await sql`analyze calls`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await own.close();
});

/** All pages of a search by a cursor. */
async function pagesOf(search: string, order: RecordOrder, limit: number): Promise<RecordPage[]> {
  const filter = { ...allRecords(tenant.accountId, batchId), search };
  const pages: RecordPage[] = [];
  let after: RecordPage['next'] | undefined;
  for (let offset = 0; after !== null;) {
    const asked = { offset, limit, byCursor: true, ...(after === undefined ? {} : { after }) };
    const page = await listRecords(database.db, filter, order, asked);
    pages.push(page);
    offset += page.rows.length;
    after = page.next;
  }
  return pages;
}

const positions = (pages: readonly RecordPage[]): number[] =>
  pages.flatMap(({ rows }) => rows.map(({ position }) => position));

test('a page by a cursor looks at no more records than it says, and its followers find the one that has the text', async () => {
  const pages = await pagesOf('zoë only', inFile, 20);
  expect(positions(pages)).toEqual([records - 1]);
  expect(pages.map(({ searched }) => searched)).toEqual([mostSearched, mostSearched, null]);
  expect(pages.map(({ total }) => total)).toEqual([
    { rows: 0, isEstimate: true },
    { rows: 0, isEstimate: true },
    { rows: 1, isEstimate: false },
  ]);
});

test('in every order, pages by a cursor find what a page by its number finds, each record once', async () => {
  const filter = { ...allRecords(tenant.accountId, batchId), search: 'RARE' };
  for (const by of recordSorts) {
    for (const descending of [false, true]) {
      const order = { by, descending };
      const whole = await listRecords(database.db, filter, order, { offset: 0, limit: 100 });
      expect(whole.total).toEqual({ rows: Math.ceil(records / 5_000), isEstimate: false });
      expect({ order, found: positions(await pagesOf('RARE', order, 2)) }).toEqual({
        order,
        found: positions([whole]),
      });
    }
  }
});

test('a text that many records have fills a page by a cursor, which says that there are more', async () => {
  const filter = { ...allRecords(tenant.accountId, batchId), search: 'common' };
  const page = await listRecords(database.db, filter, inFile, { offset: 0, limit: 20, byCursor: true });
  expect(positions([page])).toEqual(Array.from({ length: 20 }, (_, place) => place + 1));
  expect(page.searched).toBe(null);
  expect(page.total.isEstimate).toBe(true);
});
