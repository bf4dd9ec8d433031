import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../db/client.js';
import { listCalls } from '../../../db/queries/calls/list.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { addCallsOfAllKinds } from './calls-of-all-kinds.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 4, name: 'test' });
});
beforeEach(async () => {
  tenant = await aTenant(database.db);
  await addCallsOfAllKinds(database.db, tenant, 100);
});
afterAll(async () => {
  await database.close();
  await own.close();
});

const settledIn = async (roomId: string): Promise<string[]> => {
  const filter = {
    statuses: ['ended', 'failed', 'rejected', 'missed', 'not-answered', 'abandoned'],
    search: '',
  } as const;
  const { calls } = await listCalls(database.db, tenant.accountId, { ...filter, roomId }, { offset: 0, limit: 100 });
  return calls.filter(({ call }) => call.settled).map(({ call }) => call.id);
};

test.each([
  ['names another room now', `update routing_rules set room_id = 'elsewhere' where id = $1`],
  ['has been deleted', 'delete from routing_rules where id = $1'],
])('a call that is over is found by its room if the rule of that room %s', async (_what, change) => {
  const before = await settledIn('reception');
  expect(before.length).toBeGreaterThan(5);

  await database.pool.query(change, [`${tenant.ruleId}-2`]);

  expect(await settledIn('reception')).toEqual(before);
  expect(await settledIn('elsewhere')).toEqual([]);
});

test('a call keeps the room that it was in when it settles, and only if others can have been in it', async () => {
  const { db } = database;
  const settle = sql`update calls set status = 'missed' where account_id = ${tenant.accountId} and not settled and batch_id is null`;
  await settle.execute(db);

  const { rows } = await sql<{ wrong: number; kept: number }>`
    select count(*) filter (where ended_room is distinct from
        case when room_id in ('reception', 'lobby') then room_id end)::integer as wrong,
      count(ended_room)::integer as kept
    from calls where account_id = ${tenant.accountId} and batch_id is null`.execute(db);
  expect(rows[0]?.wrong).toBe(0);
  expect(rows[0]?.kept).toBeGreaterThan(10);

  // A person has the call made again.
  await sql`update calls set status = 'retrying' where account_id = ${tenant.accountId} and batch_id is null`.execute(
    db,
  );
  const reopened =
    await sql`select 1 from calls where account_id = ${tenant.accountId} and ended_room is not null`.execute(db);
  expect(reopened.rows).toEqual([]);
});
