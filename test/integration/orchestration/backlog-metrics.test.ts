import { sql } from 'kysely';
import { Counter, Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { observeBacklog } from '../../../cli/roles/backlog-metrics.js';
import { observeHeldSnapshot } from '../../../cli/roles/held-snapshot-metric.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { addToOutbox } from '../../../db/queries/outbox.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { setNumberLimits } from '../../../db/queries/telephony/number-limits.js';
import { askForRedelivery } from '../../../db/queries/webhooks/deliveries-list.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { aTenant } from '../../workflow/fixtures.js';
import { endAttempts, queuedAttempts } from '../../workflow/play-dialer.js';
import { aRunningBatch } from './running-batch.js';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 5, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await own.close();
});

const registry = new Registry();

/** Every figure of the backlog, by its name and labels, as Prometheus reads it. */
async function figures(): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))] as const;
    }),
  );
}

const running = (paused: boolean) => `outdial_batches_unfinished{status="running",paused="${paused}"}`;

test('the metrics say what the service still has to do and for how long it has waited, of this very moment', async () => {
  const { db } = database;
  observeBacklog(registry, db);
  const tenant = await aTenant(db);
  const idle = await figures();
  expect(idle).toEqual({
    outdial_gateways_suspended: 0,
    outdial_due_attempts_oldest_seconds: 0,
    outdial_attempts_unreported_oldest_seconds: 0,
    outdial_outbox_oldest_seconds: 0,
    outdial_webhook_deliveries_pending: 0,
    outdial_webhook_deliveries_oldest_seconds: 0,
    outdial_transcripts_unread: 0,
  });

  const { accountId } = tenant;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 2);
  const attempts = callIds.map((callId) => [callId, 1] as const);
  await queueAttempts(db, { accountId, batchId, attempts }, new Date());
  await sql`update call_attempts set due_at = due_at - interval '400 seconds'`.execute(db);
  const due = await figures();
  expect(due[running(false)]).toBe(1);
  expect(due.outdial_due_attempts_oldest_seconds).toBeGreaterThanOrEqual(400);
  expect(due.outdial_due_attempts_oldest_seconds).toBeLessThan(1_000);

  await sql`update batches set paused = true, paused_reason = 'paused_by_user' where id = ${batchId}`.execute(db);
  expect(await figures()).toMatchObject({ [running(true)]: 1, outdial_due_attempts_oldest_seconds: 0 });
  expect((await figures())[running(false)]).toBeUndefined();
  await sql`update batches set paused = false, paused_reason = null where id = ${batchId}`.execute(db);

  await sql`update gateway_admission set suspended_since = clock_timestamp(), suspended_reason = '403'`.execute(db);
  expect(await figures()).toMatchObject({ outdial_gateways_suspended: 1, outdial_due_attempts_oldest_seconds: 0 });
  await sql`update gateway_admission set suspended_since = null, suspended_reason = null`.execute(db);

  await endAttempts(db, await queuedAttempts(db, batchId), 'missed');
  await sql`update call_attempts set ended_at = ended_at - interval '90 seconds', reported_at = null`.execute(db);
  await db
    .transaction()
    .execute((tx) =>
      addToOutbox(tx, { kind: 'start', name: 'deliverWebhook', input: { accountId, deliveryId: 'whd_1' } }),
    );
  await sql`update outbox set created_at = created_at - interval '70 seconds'`.execute(db);
  await sql`
    insert into webhook_deliveries (id, account_id, event, endpoint, payload, status, created_at)
    select 'whd_' || n, ${accountId}, 'call-hangup', 'https://example.com', '{}', s, now() - interval '2 hours'
    from unnest(array['pending', 'pending', 'delivered', 'failed']) with ordinality as z (s, n)`.execute(db);
  await sql`insert into unread_transcripts (call_id) select id from calls`.execute(db);
  const behind = await figures();
  expect(behind.outdial_attempts_unreported_oldest_seconds).toBeGreaterThanOrEqual(90);
  expect(behind.outdial_outbox_oldest_seconds).toBeGreaterThanOrEqual(70);
  expect(behind.outdial_webhook_deliveries_pending).toBe(2);
  expect(behind.outdial_webhook_deliveries_oldest_seconds).toBeGreaterThanOrEqual(7_200);
  expect(behind.outdial_transcripts_unread).toBe(callIds.length);
});

test('calls that wait because dialing is stopped, or their agent is not active, are no calls that could have been dialed', async () => {
  const { db } = database;
  const tenant = await aTenant(db);
  const { accountId } = tenant;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1);
  const attempts = callIds.map((callId) => [callId, 1] as const);
  await queueAttempts(db, { accountId, batchId, attempts }, new Date());
  await sql`update call_attempts set due_at = due_at - interval '400 seconds' where batch_id = ${batchId}`.execute(db);
  const oldest = async () => Math.floor((await figures()).outdial_due_attempts_oldest_seconds ?? -1);
  const account = sql`update accounts set`;
  for (const [held, released] of [
    [sql`${account} dialing_stopped_at = now()`, sql`${account} dialing_stopped_at = null`],
    [sql`${account} suspended_at = now()`, sql`${account} suspended_at = null`],
    [sql`update service_state set dialing_stopped_at = now()`, sql`update service_state set dialing_stopped_at = null`],
    [
      sql`update agents set status = 'inactive', deployment_id = null`,
      sql`update agents a set status = 'active', deployment_id = (select d.id from deployments d where d.agent_id = a.id)`,
    ],
  ] as const) {
    await held.execute(db);
    expect(await oldest()).toBe(0);
    await released.execute(db);
    expect(await oldest()).toBeGreaterThanOrEqual(400);
  }
});

test('calls that wait for the limits of their number could not have been dialed, until it may call', async () => {
  const { db } = database;
  const tenant = await aTenant(db);
  const { accountId, numberId: id, number: e164 } = tenant;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1);
  await queueAttempts(db, { accountId, batchId, attempts: callIds.map((callId) => [callId, 1] as const) }, new Date());
  await sql`update call_attempts set due_at = due_at - interval '400 seconds' where batch_id = ${batchId}`.execute(db);
  const oldest = async () => Math.floor((await figures()).outdial_due_attempts_oldest_seconds ?? -1);
  await sql`update batches set paused = true, paused_reason = 'paused_by_user' where id <> ${batchId}`.execute(db);
  const limits = { maxCallsPerDay: 1, minSecondsBetweenCalls: 3_600 };
  await db.transaction().execute((tx) => setNumberLimits(tx, accountId, { id, e164 }, limits, 'UTC'));
  for (const [held, released] of [
    [sql`last_call_by = now()`, sql`last_call_by = now() - interval '2 hours'`],
    [sql`day = (now() at time zone 'UTC')::date, calls = 1`, sql`calls = 0`],
  ]) {
    await sql`update counted_numbers set ${held} where number_id = ${id}`.execute(db);
    expect(await oldest()).toBe(0);
    await sql`update counted_numbers set ${released} where number_id = ${id}`.execute(db);
    expect(await oldest()).toBeGreaterThanOrEqual(400);
  }
});

test('an old webhook that is sent again counts as tried since it was asked for', async () => {
  const { db } = database;
  const { accountId } = await aTenant(db);
  await sql`delete from webhook_deliveries`.execute(db);
  await sql`
    insert into webhook_deliveries (id, account_id, event, endpoint, payload, status, created_at)
    values ('whd_old', ${accountId}, 'call-hangup', 'https://example.com', '{}', 'failed', now() - interval '9 days')`.execute(
    db,
  );
  await db.transaction().execute((tx) => askForRedelivery(tx, accountId, 'whd_old'));
  await sql`update webhook_deliveries set asked_at = asked_at - interval '70 seconds'`.execute(db);
  const { outdial_webhook_deliveries_pending: pending, outdial_webhook_deliveries_oldest_seconds: oldest } =
    await figures();
  expect(pending).toBe(1);
  expect(oldest).toBeGreaterThanOrEqual(70);
  expect(oldest).toBeLessThan(86_400);
});

test('figures of a database that is away are missing, and the other metrics are served', async () => {
  const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1, name: 'test' });
  const lost = new Registry();
  observeBacklog(lost, away.db);
  const text = await lost.metrics();
  await away.close();
  expect(text).toContain('# TYPE outdial_outbox_oldest_seconds gauge');
  expect(text).not.toMatch(/^outdial_/m);
});

// shows: silent.metrics
test('a database that does not answer keeps no other metric from being read, and is not asked again meanwhile', async () => {
  const { db, pool } = database;
  const waiting = new Registry();
  new Counter({ name: 'other_total', help: 'Another metric.', registers: [waiting] });
  observeBacklog(waiting, db, 50);
  observeHeldSnapshot(waiting, db, 50);
  const holder = await pool.connect();
  await holder.query('begin; lock table outbox in access exclusive mode');
  const texts = [await waiting.metrics(), await waiting.metrics()];
  for (const text of texts) {
    expect(text).toContain('other_total 0');
    expect(text).not.toMatch(/^outdial_outbox_oldest_seconds /m);
  }
  expect(await lockWaits(pool)).toBe(1);
  await holder.query('rollback');
  holder.release();
  await expect.poll(() => waiting.metrics()).toMatch(/^outdial_outbox_oldest_seconds \d/m);
});
