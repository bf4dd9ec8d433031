import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { queueNewCall } from '../../db/queries/calls/queue-attempts.js';
import { formatId } from '../../domain/ids.js';
import { aBatch, csvOf, type Tenant } from './fixtures.js';
import { endAttempts, moveTo, queuedAttempts } from './play-dialer.js';
import { queueOf, statusOf, tell } from './batch-row.js';
import { ownTestEnv, shareTestEnv } from './shared-env.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv } from './test-env.js';

let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
shareTestEnv(timeSkippingTestEnv, (env, account) => {
  [testEnv, tenant] = [env, account];
});

const start = (batchId: string) =>
  testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
const becomes = (batchId: string, status: string) =>
  testEnv.until(async () => (await statusOf(testEnv.database, batchId)) === status);
const clock = async () => new Date(await testEnv.env.currentTimeMs());
const child = (batchId: string, group = 1) => testEnv.client.workflow.getHandle(`${batchId}/calls-${group}`);

async function aSingleCall(): Promise<string> {
  const callId = uuidv7();
  const { accountId, number, ruleId, gatewayId, agentId } = tenant;
  await testEnv.database.db
    .insertInto('calls')
    .values({
      id: callId,
      account_id: accountId,
      to_number: '+12025550100',
      from_number: number,
      rule_id: ruleId,
      gateway_id: gatewayId,
      agent_id: agentId,
    })
    .execute();
  return callId;
}

test('a retry goes into the queue when its delay is over and not before, each with the delay of its own', async () => {
  // A day is skipped here, in which calls that other tests left in the queue would be looked at again and again.
  [testEnv, tenant] = await ownTestEnv(timeSkippingTestEnv);
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1));
  await start(batchId);
  const [first] = await queueOf(testEnv, batchId, 1);

  await tell(testEnv, await endAttempts(db, [first!], 'missed', 600, await clock()));
  // A minute before: the server's time goes on while a busy machine comes to its work.
  await testEnv.env.sleep(540_000);
  expect(await queuedAttempts(db, batchId)).toEqual([]);
  expect(await child(batchId).query('progress')).toMatchObject({ open: 1, queued: 0, waiting: 1 });
  await testEnv.env.sleep(62_000);
  const [second] = await queueOf(testEnv, batchId, 1);
  expect(second).toMatchObject({ callId: first!.callId, attempt: 2 });

  await tell(testEnv, await endAttempts(db, [second!], 'rejected', 86_400, await clock()));
  await testEnv.env.sleep(86_340_000);
  expect(await queuedAttempts(db, batchId)).toEqual([]);
  await testEnv.env.sleep(62_000);
  const [third] = await queueOf(testEnv, batchId, 1);
  expect(third!.attempt).toBe(3);
  await tell(testEnv, await endAttempts(db, [third!], 'answered'));

  await becomes(batchId, 'completed');
});

test('a retry that is put in the queue ahead of its time is due there at its very instant', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1));
  await start(batchId);
  const [first] = await queueOf(testEnv, batchId, 1);

  const dueAt = new Date((await clock()).getTime() + 1_500);
  await tell(testEnv, await endAttempts(db, [first!], 'missed', 1.5, new Date(dueAt.getTime() - 1_500)));

  await queueOf(testEnv, batchId, 1);
  const { due_at: queuedFor } = await db
    .selectFrom('call_attempts')
    .select('due_at')
    .where('call_id', '=', first!.callId)
    .where('number', '=', 2)
    .executeTakeFirstOrThrow();
  expect(queuedFor).toEqual(dueAt);
});

test('an outcome that is told twice, late or out of order changes nothing', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1));
  await start(batchId);
  const [first] = await queueOf(testEnv, batchId, 1);
  const endOfFirst = await endAttempts(db, [first!], 'missed', 60, await clock());
  await tell(testEnv, endOfFirst);
  await testEnv.env.sleep(61_000);
  const [second] = await queueOf(testEnv, batchId, 1);

  await tell(testEnv, endOfFirst);
  await tell(testEnv, endOfFirst);
  await testEnv.env.sleep(120_000);

  expect(await queuedAttempts(db, batchId)).toEqual([second]);
  expect(await child(batchId).query('calls')).toEqual([{ callId: second!.callId, attempt: 2, dueAt: null }]);
  await tell(testEnv, await endAttempts(db, [second!], 'answered'));
  await becomes(batchId, 'completed');
});

test('an outcome of an attempt that the workflow does not know of yet is believed', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1));
  await start(batchId);
  const [first] = await queueOf(testEnv, batchId, 1);
  // The end of attempt 1 was lost with a server's last second; Postgres and the dialer are at attempt 3.
  await endAttempts(db, [first!], 'missed', 0);
  await sql`update calls set attempts_made = 3, status = 'retrying' where id = ${first!.callId}`.execute(db);
  const dueAt = new Date((await testEnv.env.currentTimeMs()) + 60_000);
  await sql`update calls set next_attempt_at = ${dueAt} where id = ${first!.callId}`.execute(db);
  await testEnv.workflows.signal(`${batchId}/calls-1`, 'attemptsEnded', [[first!.callId, 3, dueAt.toISOString()]]);

  await testEnv.env.sleep(61_000);

  expect((await queueOf(testEnv, batchId, 1))[0]).toMatchObject({ attempt: 4 });
});

test('a reload takes up what was forgotten: here an attempt that vanished from the queue', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(2));
  await start(batchId);
  await queueOf(testEnv, batchId, 2);
  await db.deleteFrom('call_attempts').where('batch_id', '=', batchId).execute();

  await testEnv.workflows.signal(`${batchId}/calls-1`, 'reload');
  await testEnv.workflows.signal(`${batchId}/calls-2`, 'reload');

  await queueOf(testEnv, batchId, 2);
});

test('a reload while nothing is wrong queues nothing twice', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1));
  await start(batchId);
  const attempts = await queueOf(testEnv, batchId, 1);
  await moveTo(db, attempts, 'dialing');

  await testEnv.workflows.signal(`${batchId}/calls-1`, 'reload');
  await testEnv.until(async () => (await child(batchId).fetchHistory()).events?.some(isSecondOpenCalls()) === true);

  expect(await queuedAttempts(db, batchId)).toEqual([]);
  await tell(testEnv, await endAttempts(db, attempts, 'answered'));
  await becomes(batchId, 'completed');
});

// shows: calls.60s
test('a single call is carried by a workflow of its own id, and has a minute to be dialed', async () => {
  const { db } = testEnv.database;
  const callId = await aSingleCall();
  const workflowId = formatId('call', callId);
  await testEnv.workflows.start('calls', workflowId, { accountId: tenant.accountId, callId });
  const [attempt] = (await queueOf(testEnv, null, 1)).filter((each) => each.callId === callId);
  const { expires_at: expiresAt, created_at: createdAt } = await db
    .selectFrom('call_attempts')
    .selectAll()
    .where('call_id', '=', callId)
    .executeTakeFirstOrThrow();
  expect(Math.abs(expiresAt.getTime() - createdAt.getTime() - 60_000)).toBeLessThan(20_000);

  await tell(testEnv, await endAttempts(db, [attempt!], 'answered'));

  await testEnv.client.workflow.getHandle(workflowId).result();
});

test('a single call that its request has queued is not queued again by its workflow, which waits for its end', async () => {
  const { db } = testEnv.database;
  const callId = await aSingleCall();
  await db.transaction().execute((tx) => queueNewCall(tx, tenant.accountId, callId));
  const [attempt] = (await queuedAttempts(db, null)).filter((each) => each.callId === callId);
  await moveTo(db, [attempt!], 'answered');
  const workflowId = formatId('call', callId);
  await testEnv.workflows.start('calls', workflowId, { accountId: tenant.accountId, callId });
  const handle = testEnv.client.workflow.getHandle(workflowId);
  await testEnv.until(async () => (await handle.query<{ open: number }>('progress')).open === 1);

  await tell(testEnv, await endAttempts(db, [attempt!], 'answered'));

  await handle.result();
  expect(await attemptsOf(callId)).toEqual([{ number: 1, phase: 'ended' }]);
});

test('a single call that is over before its workflow has begun is called no more, and the workflow ends at once', async () => {
  const { db } = testEnv.database;
  const callId = await aSingleCall();
  await db.transaction().execute((tx) => queueNewCall(tx, tenant.accountId, callId));
  const [attempt] = (await queuedAttempts(db, null)).filter((each) => each.callId === callId);
  // Nobody hears of it: there is no workflow yet.
  await endAttempts(db, [attempt!], 'answered');
  const workflowId = formatId('call', callId);
  await testEnv.workflows.start('calls', workflowId, { accountId: tenant.accountId, callId });

  await testEnv.client.workflow.getHandle(workflowId).result();

  expect(await attemptsOf(callId)).toEqual([{ number: 1, phase: 'ended' }]);
});

const attemptsOf = (callId: string) =>
  testEnv.database.db.selectFrom('call_attempts').select(['number', 'phase']).where('call_id', '=', callId).execute();

test('a workflow wakes half a second before a retry is due, so that it is in the queue in time', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1));
  await start(batchId);
  const [first] = await queueOf(testEnv, batchId, 1);
  const endedAt = await clock();
  await tell(testEnv, await endAttempts(db, [first!], 'missed', 600, endedAt));
  await testEnv.until(async () => (await child(batchId).query<{ waiting: number }>('progress')).waiting === 1);

  const { events } = await child(batchId).fetchHistory();
  const timer = events?.findLastIndex((event) => event.timerStartedEventAttributes) ?? -1;
  const lasts = events?.[timer]?.timerStartedEventAttributes?.startToFireTimeout;
  const task = events?.slice(0, timer).findLast((event) => event.workflowTaskStartedEventAttributes)?.eventTime;
  const firesAt = msOf(task) + msOf(lasts);
  expect(Math.abs(firesAt - (endedAt.getTime() + 600_000 - 500))).toBeLessThan(10);
});

const msOf = (time: { seconds?: unknown; nanos?: number | null } | null | undefined): number =>
  Number(time?.seconds ?? 0) * 1000 + (time?.nanos ?? 0) / 1e6;

const isSecondOpenCalls = () => {
  let seen = 0;
  return (event: {
    activityTaskScheduledEventAttributes?: { activityType?: { name?: string | null } | null } | null;
  }): boolean => event.activityTaskScheduledEventAttributes?.activityType?.name === 'openCalls' && (seen += 1) === 2;
};
