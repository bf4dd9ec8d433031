import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closedWindows, expiredAttempts } from '../../../db/queries/dialer/queue-sweep.js';
import { dueAttempts } from '../../../db/queries/dialer/judged-attempts.js';
import { backlogOf } from '../../../db/queries/upkeep/backlog.js';
import { forgottenGroups } from '../../../db/queries/upkeep/forgotten-groups.js';
import { takeOutbox } from '../../../db/queries/upkeep/outbox-sweep.js';
import { emptyCallsOfBatch } from '../../../db/queries/upkeep/retention.js';
import { wakeSleepers } from '../../../db/queries/dialer/wake-gateways.js';
import { openDeliveries, openDeployments } from '../../../db/queries/upkeep/watchdog.js';
import { formatId } from '../../../domain/ids.js';
import { aTenant } from '../../workflow/fixtures.js';
import { aRunningBatch } from '../orchestration/running-batch.js';
import { historyTestEnv, blocksRead, type HistoryTestEnv, sizeInBlocks } from './history.js';

let testEnv: HistoryTestEnv;
beforeAll(async () => {
  testEnv = await historyTestEnv(40_000);
});
afterAll(() => testEnv.close());

/** Deliveries, made so long ago. */
async function addDeliveries(count: number, status: 'delivered' | 'pending', secondsAgo: number): Promise<string[]> {
  const { db } = testEnv.database;
  const ids = Array.from({ length: count }, () => formatId('webhookDelivery', uuidv7()));
  await sql`
    insert into webhook_deliveries (id, account_id, event, endpoint, payload, status, created_at)
    select id, ${testEnv.tenant.accountId}, 'call-hangup', 'https://example.com', '{}', ${status},
      clock_timestamp() - make_interval(secs => ${secondsAgo})
    from unnest(${ids}::text[]) as z (id)`.execute(db);
  return ids;
}

async function allOpenDeliveries(): Promise<string[]> {
  const found: string[] = [];
  for (let page = await openDeliveries(testEnv.database.db, null); ;) {
    found.push(...page.map(({ deliveryId }) => deliveryId));
    const last = page.at(-1);
    if (last === undefined) return found;
    page = await openDeliveries(testEnv.database.db, last.deliveryId);
  }
}

test('C4: looking for deliveries without a workflow reads none of those that are over', async () => {
  const { db } = testEnv.database;
  await addDeliveries(20_000, 'delivered', 3_600);
  await sql`vacuum analyze webhook_deliveries`.execute(db);
  expect(await sizeInBlocks(db, 'webhook_deliveries')).toBeGreaterThan(200);

  const blocks = await blocksRead(testEnv.database, ['webhook_deliveries'], () => openDeliveries(db, null));

  expect(blocks).toBeLessThan(50);
});

test('what the metrics say of the backlog is read from what is unfinished, however much is over', async () => {
  const { db } = testEnv.database;
  await sql`vacuum analyze`.execute(db);
  const tables = ['call_attempts', 'webhook_deliveries'];
  expect(await sizeInBlocks(db, 'call_attempts')).toBeGreaterThan(200);
  expect(await blocksRead(testEnv.database, tables, () => backlogOf(db))).toBeLessThan(50);
});

test('C4: more than 1,000 deliveries that cannot be taken keep none of the others from being taken up', async () => {
  const { db } = testEnv.database;
  const refused = await addDeliveries(1_500, 'pending', 7_200);
  await sql`
    insert into delivery_attempts (delivery_id, number, at, milliseconds, error)
    select id, 1, clock_timestamp() - interval '1 hour', 5, 'connect ECONNREFUSED'
    from unnest(${refused}::text[]) as z (id)`.execute(db);
  const lost = await addDeliveries(1, 'pending', 60);

  const found = await allOpenDeliveries();

  expect(found).toHaveLength(1_501);
  expect(found).toEqual(expect.arrayContaining(lost));
  await sql`delete from webhook_deliveries where status = 'pending'`.execute(db);
});

test('C4: a delivery that waits for its next try is left alone until that is overdue', async () => {
  const { db } = testEnv.database;
  const [waiting = '', overdue = '', fresh = '', askedAgain = ''] = await addDeliveries(4, 'pending', 40_000);
  const tryAgo = (id: string, number: number, secondsAgo: number) =>
    sql`
    insert into delivery_attempts (delivery_id, number, at, milliseconds)
    values (${id}, ${number}, clock_timestamp() - make_interval(secs => ${secondsAgo}), 5)`.execute(db);
  // The fifth try comes half an hour after the fourth, the second 5 s after the first.
  for (const [id, secondsAgo] of [
    [waiting, 500],
    [overdue, 3_000],
  ] as const) {
    for (const number of [1, 2, 3, 4]) await tryAgo(id, number, secondsAgo);
  }
  await tryAgo(fresh, 1, 1);
  for (const number of [1, 2, 3, 4, 5, 6, 7]) await tryAgo(askedAgain, number, 1_000);
  await sql`update webhook_deliveries set asked_at = clock_timestamp() - interval '1 minute' where id = ${askedAgain}`.execute(
    db,
  );

  expect((await allOpenDeliveries()).toSorted()).toEqual([overdue, askedAgain].toSorted());
  await sql`delete from webhook_deliveries where status = 'pending'`.execute(db);
});

test('C4: looking for undecided deployments reads none of those that are over', async () => {
  const { db } = testEnv.database;
  await sql`
    insert into deployments (id, account_id, agent_id, version_id, region, status)
    select 'deployment_' || n, ${testEnv.tenant.accountId}, ${testEnv.tenant.agentId}, ${testEnv.tenant.versionId}, 'default',
      'retired' from generate_series(1, 5000) n`.execute(db);
  await sql`vacuum analyze deployments`.execute(db);

  expect(await blocksRead(testEnv.database, ['deployments'], () => openDeployments(db, null))).toBeLessThan(40);
});

test('C9: looking for gateways that sleep costs a few blocks, however much is queued for later or has ended', async () => {
  const { db } = testEnv.database;
  const tenant = await aTenant(db);
  const { batchId, callIds } = await aRunningBatch(db, tenant, 6_000);
  await sql`
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, due_at)
    select id, 1, ${tenant.accountId}, ${batchId}, ${tenant.gatewayId}, place, '+1202' || lpad(place::text, 7, '0'),
      clock_timestamp() + interval '10 hours'
    from unnest(${[...callIds]}::uuid[]) with ordinality as z (id, place)`.execute(db);
  await sql`vacuum analyze call_attempts`.execute(db);
  await sql`update gateway_admission set next_claim_at = 'infinity'`.execute(db);

  let woken = -1;
  const look = async () => (woken = await wakeSleepers(db));
  expect(await blocksRead(testEnv.database, ['call_attempts'], look)).toBeLessThan(50);
  expect(woken).toBe(0);

  await sql`
    update call_attempts set due_at = clock_timestamp() - interval '1 second' where call_id = ${callIds[5_000]}`.execute(
    db,
  );
  expect(await blocksRead(testEnv.database, ['call_attempts'], look)).toBeLessThan(50);
  expect(woken).toBe(1);
});

test('C9: looking for closed windows, expired calls and what is due reads none of what is queued for later', async () => {
  const { db } = testEnv.database;
  const tenant = await aTenant(db);
  const { batchId, callIds } = await aRunningBatch(db, tenant, 6_000);
  await sql`
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, due_at, not_after,
      expires_at)
    select id, 1, ${tenant.accountId}, ${batchId}, ${tenant.gatewayId}, place, '+1203' || lpad(place::text, 7, '0'),
      clock_timestamp() + interval '10 hours', clock_timestamp() + interval '20 hours', clock_timestamp() + interval '1 day'
    from unnest(${[...callIds]}::uuid[]) with ordinality as z (id, place)`.execute(db);
  await sql`vacuum analyze call_attempts`.execute(db);
  const found: unknown[] = [];
  const look = async () => {
    found.push(...(await closedWindows(db, 100)), ...(await expiredAttempts(db, 100)));
    found.push(...(await dueAttempts(db, tenant.gatewayId, null, 100)));
  };

  expect(await blocksRead(testEnv.database, ['call_attempts'], look)).toBeLessThan(50);
  expect(found).toEqual([]);

  await sql`
    update call_attempts set due_at = clock_timestamp() - interval '1 hour', not_after = clock_timestamp() - interval '1 s',
      expires_at = clock_timestamp() where call_id = ${callIds[5_000]}`.execute(db);
  await sql`
    update call_attempts set due_at = clock_timestamp() - interval '1 hour' where call_id = ${callIds[4_000]}`.execute(
    db,
  );
  await look();
  expect(found).toHaveLength(3);
  await sql`delete from call_attempts where batch_id = ${batchId}`.execute(db);
});

test('C10: a round looks at so many open calls and no more, and rounds together at all of them', async () => {
  const { db } = testEnv.database;
  await sql`update batches set status = 'completed', completed_at = now() where status = 'running'`.execute(db);
  const tenant = await aTenant(db);
  const longAgo = { started_at: new Date(Date.now() - 3_600_000) };
  const batchIds: string[] = [];
  for (const count of [7, 5, 4]) {
    const { batchId } = await aRunningBatch(db, tenant, count, { ...longAgo, calls_per_workflow: 2 });
    batchIds.push(batchId);
  }
  const [first, second, third] = batchIds;
  const limits = { calls: 5, batches: 2 };
  const groups = (batchId: string | undefined, numbers: readonly number[]) =>
    numbers.map((group) => ({ accountId: tenant.accountId, batchId, group }));

  expect(await forgottenGroups(db, limits)).toEqual(groups(first, [0, 1, 2]));
  expect(await forgottenGroups(db, limits)).toEqual([...groups(first, [2, 3]), ...groups(second, [0, 1])]);
  expect(await forgottenGroups(db, limits)).toEqual([...groups(second, [1, 2]), ...groups(third, [0, 1])]);
  expect(await forgottenGroups(db, limits)).toEqual(groups(third, [1]));
  expect(await forgottenGroups(db, limits)).toEqual(groups(first, [0, 1, 2]));
  // And if one round is enough, it looks at all of them.
  await forgottenGroups(db);
  expect(await forgottenGroups(db)).toHaveLength(4 + 3 + 2);
});

test('C12: entries of the outbox that were postponed are not read for those that are due', async () => {
  const { db } = testEnv.database;
  await sql`
    insert into outbox (kind, name, workflow_id, next_try_at)
    select 'signal', 'reload', 'batch_1/calls-' || n, clock_timestamp() + interval '1 minute'
    from generate_series(1, 20000) n`.execute(db);
  await sql`insert into outbox (kind, name, workflow_id) values ('start', 'batchCall', 'batch_due')`.execute(db);
  await sql`vacuum analyze outbox`.execute(db);

  let taken: readonly string[] = [];
  const blocks = await blocksRead(testEnv.database, ['outbox'], async () => {
    taken = (await takeOutbox(db, 20)).map(({ workflowId }) => workflowId);
  });

  expect(taken).toEqual(['batch_due']);
  expect(blocks).toBeLessThan(30);
});

test('C12: emptying a batch reads each of its calls once', async () => {
  const { db } = testEnv.database;
  const tenant = await aTenant(db);
  const { batchId } = await aRunningBatch(db, tenant, 6_000);
  await sql`vacuum analyze calls`.execute(db);
  const batch = { accountId: tenant.accountId, batchId };
  const piece = async (after: number) => {
    let last: number | null = null;
    const blocks = await blocksRead(testEnv.database, ['calls'], async () => {
      last = await emptyCallsOfBatch(db, batch, after);
    });
    return { blocks, last };
  };

  const first = await piece(-1);
  for (let after: number | null = 999; after !== null && after < 4_999;) ({ last: after } = await piece(after));
  const late = await piece(4_999);

  expect(first.last).toBe(999);
  expect(late.blocks).toBeLessThan(first.blocks * 1.2);
  expect(late.last).toBe(5_999);
  const { rows } = await sql`select 1 from calls where batch_id = ${batchId} and purged_at is null`.execute(db);
  expect(rows).toEqual([]);
});
