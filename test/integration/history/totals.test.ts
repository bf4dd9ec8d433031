import fc from 'fast-check';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../db/client.js';
import { deleteBatch, removePiece } from '../../../db/queries/batches/delete.js';
import { listCalls } from '../../../db/queries/calls/list.js';
import { deleteOldSingleCalls } from '../../../db/queries/upkeep/history.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { aRunningBatch } from '../orchestration/running-batch.js';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 8, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await own.close();
});

const totalOf = async ({ accountId }: Tenant) =>
  (await listCalls(database.db, accountId, { statuses: [], search: '' }, { offset: 0, limit: 1 })).total;

async function addSingleCalls({ accountId, number, ruleId, gatewayId }: Tenant, count: number): Promise<void> {
  await sql`
    insert into calls (id, account_id, to_number, from_number, rule_id, gateway_id, status, created_at, updated_at)
    select uuidv7(), ${accountId}, '+12025550100', ${number}, ${ruleId}, ${gatewayId}, 'answered', '2020-01-01', '2020-01-01'
    from generate_series(1, ${count})`.execute(database.db);
}

/** What a reader may see of an account, counted. */
async function counted({ accountId }: Tenant): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select count(*)::integer as calls from calls c
    where c.account_id = ${accountId} and (c.batch_id is null or exists (select 1 from batches b where b.id = c.batch_id))`.execute(
    database.db,
  );
  return rows[0]?.calls ?? NaN;
}

const step = fc.record({
  move: fc.constantFrom('single', 'batch', 'delete batch', 'remove', 'delete singles'),
  of: fc.nat(9),
});

test('an account’s total of calls is their count, whatever comes and goes, and however much of it at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
      const { db } = database;
      const tenant = await aTenant(db);
      const batches: string[] = [];
      const make = async ({ move, of }: (typeof rounds)[number][number]): Promise<void> => {
        if (move === 'single') await addSingleCalls(tenant, of);
        else if (move === 'batch') batches.push((await aRunningBatch(db, tenant, of)).batchId);
        else if (move === 'delete singles') await deleteOldSingleCalls(db, tenant.accountId, new Date());
        else {
          const batchId = batches[of] ?? '';
          await sql`update batches set status = 'completed', completed_at = now() where id = ${batchId}`.execute(db);
          if (move === 'remove') await removePiece(db, tenant.accountId, batchId);
          else await db.transaction().execute((tx) => deleteBatch(tx, tenant.accountId, batchId));
        }
      };
      for (const round of rounds) {
        await Promise.all(round.map(make));
        expect(await totalOf(tenant)).toEqual({ rows: await counted(tenant), isEstimate: false });
      }
    }),
    { numRuns: 20, seed: 20_261_122 },
  );
});

test('a call that is rolled back is not counted', async () => {
  const { db } = database;
  const tenant = await aTenant(db);
  await addSingleCalls(tenant, 3);
  const failed = db.transaction().execute(async (tx) => {
    await sql`delete from calls where account_id = ${tenant.accountId}`.execute(tx);
    throw new Error('undone');
  });
  await expect(failed).rejects.toThrow('undone');
  expect(await totalOf(tenant)).toEqual({ rows: 3, isEstimate: false });
});

test('a call keeps the status in which it settled, through every statement that settles one, and none while it is open', async () => {
  const { db } = database;
  const tenant = await aTenant(db);
  const { callIds } = await aRunningBatch(db, tenant, 3);
  const [settled, erased, open] = callIds;
  await sql`update calls set status = 'retrying' where id = any (${[...callIds]}::uuid[])`.execute(db);
  await sql`update calls set status = 'not-answered' where id = ${settled}`.execute(db);
  await sql`update calls set erased_at = now() where id = ${erased}`.execute(db);
  const made = uuidv7();
  await sql`
    insert into calls (id, account_id, to_number, from_number, rule_id, gateway_id, status)
    values (${made}, ${tenant.accountId}, '+12025550100', ${tenant.number}, 'rule', 'gateway', 'failed')`.execute(db);
  const { rows } = await sql<{ id: string; end: string | null }>`
    select id, ended_as as end from calls where account_id = ${tenant.accountId}`.execute(db);
  expect(new Map(rows.map(({ id, end }) => [id, end]))).toEqual(
    new Map([
      [settled, 'not-answered'],
      [erased, 'cancelled'],
      [open, null],
      [made, 'failed'],
    ]),
  );
});
