import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { v7 as uuid } from 'uuid';
import { goLive } from '../../../db/queries/agents/deploy.js';
import { insertDeployment, retireDeployments } from '../../../db/queries/agents/deployments.js';
import { orderHangUp } from '../../../db/queries/calls/control.js';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { accountUsage } from '../../../db/queries/accounts/usage.js';
import { formatId } from '../../../domain/ids.js';
import { dialerTestEnv, numbersEndingIn, until, type Gateway, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const call = (id: string) =>
  testEnv.database.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const isAt = (id: string, status: string) => until(async () => (await call(id)).status === status);

/** Callees who answer at once and talk until they are hung up. */
const talkative = {
  otherwise: { kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 0, talkSeconds: 1_000_000 },
} as const;

async function hangUp(id: string): Promise<void> {
  await testEnv.database.db.transaction().execute((tx) => orderHangUp(tx, id, 'ended_by_api'));
  await isAt(id, 'answered');
}

/** Waits until a dialer has looked at the gateway's queue as it is now. */
async function isLookedAt(gateway: Gateway): Promise<void> {
  const { db } = testEnv.database;
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
  await until(async () => {
    const { rows: looked } = await sql`
      select 1 from gateway_admission
      where gateway_id = ${gateway.id} and next_claim_at > ${rows[0]!.now}::timestamptz`.execute(db);
    return looked.length > 0;
  });
}

/** Saves another version of the environment's only agent and puts it live. @returns its id */
async function anotherVersionLive(): Promise<string> {
  const { accountId, database } = testEnv;
  const { id: agentId } = await database.db.selectFrom('agents').select('id').executeTakeFirstOrThrow();
  const versionId = formatId('version', uuid());
  const deploymentId = formatId('deployment', uuid());
  await database.db
    .insertInto('agent_versions')
    .values({ id: versionId, account_id: accountId, agent_id: agentId, number: 2, name: 'Second', config: '{}' })
    .execute();
  await insertDeployment(database.db, { deploymentId, accountId, agentId, versionId, region: 'default' });
  await goLive(database.db, { accountId, deploymentId, defaultRegion: 'default', defaults: {} });
  return versionId;
}

// shows: deploy.pinned
test('a call in progress keeps its version while another goes live; the next call gets that one', async () => {
  testEnv = await dialerTestEnv({ scenario: talkative });
  const gateway = await testEnv.gateway();
  const [earlier, later] = numbersEndingIn(0, 2) as [string, string];
  await testEnv.dialer();
  const [first] = (await testEnv.calls(gateway, null, [earlier])) as [string];
  await isAt(first, 'in-progress');
  const { version_id: before } = await call(first);

  const second = await anotherVersionLive();
  const [next] = (await testEnv.calls(gateway, null, [later])) as [string];
  await isAt(next, 'in-progress');

  expect((await call(next)).version_id).toBe(second);
  expect(await call(first)).toMatchObject({ status: 'in-progress', version_id: before });
  await Promise.all([hangUp(first), hangUp(next)]);
  const versions = await testEnv.database.db.selectFrom('call_attempts').select(['call_id', 'version_id']).execute();
  expect(new Map(versions.map((attempt) => [attempt.call_id, attempt.version_id]))).toEqual(
    new Map([
      [first, before],
      [next, second],
    ]),
  );
});

test('after an undeploy the call in progress goes on, and no other is dialed', async () => {
  testEnv = await dialerTestEnv({ scenario: talkative });
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway();
  const [earlier, later] = numbersEndingIn(0, 2) as [string, string];
  await testEnv.dialer();
  const [first] = (await testEnv.calls(gateway, null, [earlier])) as [string];
  await isAt(first, 'in-progress');
  const { id: agentId } = await db.selectFrom('agents').select('id').executeTakeFirstOrThrow();

  await db.transaction().execute((tx) => retireDeployments(tx, testEnv.accountId, agentId));
  const [next] = (await testEnv.calls(gateway, null, [later])) as [string];
  await isLookedAt(gateway);
  expect(await call(first)).toMatchObject({ status: 'in-progress' });
  await hangUp(first);

  expect(await call(next)).toMatchObject({ status: 'pending', attempts_made: 0 });
  expect(testEnv.ledger().filter(({ event }) => event === 'invite')).toHaveLength(1);

  await anotherVersionLive();
  await wakeGateways(db, [gateway.id]);
  await isAt(next, 'in-progress');
});

test('a call whose agent is undeployed between claim and gate is not dialed', async () => {
  testEnv = await dialerTestEnv();
  const { db } = testEnv.database;
  const me = randomUUID();
  await startLease(db, { id: me, host: 'here', pid: 1 }, 600);
  await testEnv.calls(await testEnv.gateway(), null, numbersEndingIn(0, 1));
  const [claimed] = await claimAttempts(db, me, 1);
  const { id: agentId } = await db.selectFrom('agents').select('id').executeTakeFirstOrThrow();

  await db.transaction().execute((tx) => retireDeployments(tx, testEnv.accountId, agentId));

  await sql`update call_attempts set dial_at = clock_timestamp()`.execute(db);
  const key = { callId: claimed!.callId, attempt: claimed!.attempt, claimId: claimed!.claimId };
  const judged = { revision: '0', until: null, patienceMs: 600_000 };
  const [answer] = await gateAttempts(db, me, [{ ...key, invite: 1, room: 'room', ...judged }]);
  expect(answer?.refusal).toBe('agent_inactive');
});

test('what the account has used is what its calls say, whichever process counted it', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const numbers = [0, 1, 3, 5, 7, 9].flatMap((digit) => numbersEndingIn(digit, 4));
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbers);
  await Promise.all([testEnv.dialer(), testEnv.dialer()]);
  const calls = () => testEnv.database.db.selectFrom('calls').selectAll().where('id', 'in', ids).execute();
  await until(async () => (await calls()).every((each) => each.settled));

  const sum = (numbersOf: (number | null)[]) => numbersOf.reduce<number>((total, each) => total + (each ?? 0), 0);
  const all = await calls();
  const { thisMonth, liveCalls } = await accountUsage(testEnv.database.db, testEnv.accountId, new Date());
  expect(thisMonth).toEqual({
    calls: ids.length,
    attempts: sum(all.map((each) => each.attempts_made)),
    answered: all.filter((each) => each.status === 'answered').length,
    talkSeconds: expect.closeTo(sum(all.map((each) => each.talk_seconds)), 3),
    ...{ costMicros: '0', unpriced: 0 },
  });
  expect(liveCalls).toBe(0);
});
