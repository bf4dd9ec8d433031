import { randomUUID } from 'node:crypto';
import { sql, type KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { deferAttempts } from '../../../db/queries/dialer/judged-attempts.js';
import { endLease, requeueClaimedOfDead, startLease, takeOverLegsOfDead } from '../../../db/queries/dialer/lease.js';
import { paceAttempts } from '../../../db/queries/dialer/pace-attempts.js';
import { releaseAttempts } from '../../../db/queries/dialer/release-attempts.js';
import { settleUndialed } from '../../../db/queries/dialer/settle-undialed.js';
import { createDialPipeline } from '../../../dialer/dial-pipeline.js';
import type { Lease } from '../../../dialer/lease.js';
import { createDialerMetrics } from '../../../dialer/metrics.js';
import { orderFor } from '../../../dialer/order.js';
import { createProgress } from '../../../dialer/progress.js';
import { formatId } from '../../../domain/ids.js';
import { createLogger } from '../../../platform/logger.js';
import type { CallProvider } from '../../../telephony/provider.js';
import { dialerTestEnv, numbersEndingIn, until, type Gateway, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
let gateway: Gateway;
let me: string;
beforeAll(async () => {
  testEnv = await dialerTestEnv();
});
afterAll(() => testEnv.close());
beforeEach(async () => {
  const { db } = testEnv.database;
  await sql`delete from call_attempts`.execute(db);
  await sql`update gateway_admission set next_claim_at = 'infinity'`.execute(db);
  gateway = await testEnv.gateway();
  me = randomUUID();
  await startLease(db, { id: me, host: 'here', pid: 1 }, 60);
});

/** By which guardrails; a busy machine may ask the gate long after the slot was set. */
const judged = { revision: '0', until: null, patienceMs: 600_000 };

const logger = pino({ level: 'silent' });
const metrics = () => createDialerMetrics(new Registry());

async function claimOne(process = me) {
  const { db } = testEnv.database;
  await sql`update gateway_admission set next_claim_at = clock_timestamp() where gateway_id = ${gateway.id}`.execute(
    db,
  );
  const [attempt] = await claimAttempts(db, process, 10);
  if (attempt === undefined) throw new Error('nothing was claimed');
  return { attempt, key: { callId: attempt.callId, attempt: attempt.attempt, claimId: attempt.claimId } };
}

const slotNow = () => sql`update call_attempts set dial_at = clock_timestamp()`.execute(testEnv.database.db);

async function rowOf(callId: string) {
  return testEnv.database.db
    .selectFrom('call_attempts')
    .selectAll()
    .where('call_id', '=', callId)
    .executeTakeFirstOrThrow();
}

/** The attempt goes back to the queue behind the back of the process that has claimed it, as after the end of its lease. */
const takeAway = () =>
  sql`update call_attempts set phase = 'queued', claimed_by = null, dial_at = null`.execute(testEnv.database.db);

const leaseOf = (holds = () => true): Lease => ({
  processId: me,
  holds,
  renew: () => Promise.resolve(true),
  end: () => Promise.resolve(),
});

/** A dial pipeline whose provider is ready only when the test says so. */
function pipelineOf(db = testEnv.database.db, holds = () => true) {
  const dialed: string[] = [];
  const unsendable: string[] = [];
  const waiting: (() => void)[] = [];
  const provider: CallProvider = {
    ...testEnv.provider(),
    prepare: () => new Promise((resolve) => waiting.push(resolve)),
  };
  const dials = createDialPipeline({
    ...{ db, lease: leaseOf(holds), logger, metrics: metrics(), provider },
    orderFor: (attempt) => orderFor(attempt, (sealed) => sealed),
    dial: (attempt) => dialed.push(attempt.claimId),
    unsendable: (attempt) => unsendable.push(attempt.claimId),
    unanswered: () => undefined,
    unorderable: () => Promise.resolve(),
    watch: (_step, work) => work(),
    admit: (attempts) =>
      Promise.resolve(
        attempts.map((attempt) => ({
          attempt,
          permit: { kind: 'dial', revision: '0', until: null, disclosure: null },
        })),
      ),
    settle: () => Promise.resolve(),
  });
  /** Claims that were dialed, or would have been but for a machine too busy to do so in time. */
  const letOut = () => [...dialed, ...unsendable];
  return { dials, dialed, unsendable, letOut, waiting };
}

test('C1: of two claims of one attempt in one process only the later one is dialed', async () => {
  await testEnv.calls(gateway, null, numbersEndingIn(7, 1, 100));
  const { dials, letOut, waiting } = pipelineOf();
  const first = await claimOne();
  dials.accept([first.attempt]);
  await until(() => waiting.length === 1);
  await takeAway();
  const second = await claimOne();
  expect(second.attempt.claimId).not.toBe(first.attempt.claimId);
  dials.accept([second.attempt]);
  await until(() => waiting.length === 2);
  for (const ready of waiting) ready();
  await until(() => letOut().length > 0);
  await dials.close();
  expect(letOut()).toEqual([second.attempt.claimId]);
});

test('C1: a claim that is accepted twice is dialed once', async () => {
  await testEnv.calls(gateway, null, numbersEndingIn(7, 1, 100));
  const { dials, letOut, waiting } = pipelineOf();
  const { attempt } = await claimOne();
  dials.accept([attempt]);
  dials.accept([attempt]);
  await until(() => waiting.length > 0);
  dials.accept([attempt]);
  for (const ready of waiting) ready();
  await until(() => letOut().length > 0);
  await dials.close();
  expect(letOut()).toEqual([attempt.claimId]);
});

test('C1: a gate that is asked about one attempt twice lets it pass once, also by dialers from before claims had ids', async () => {
  const { db, pool } = testEnv.database;
  const [newer = '', older = ''] = await testEnv.calls(gateway, null, numbersEndingIn(7, 2, 100));
  await claimOne();
  const key = { callId: newer, attempt: 1, claimId: await testEnv.claimOf(newer) };
  const asked = { ...key, invite: 1, room: 'room', ...judged };
  await slotNow();
  const answers = await gateAttempts(db, me, [asked, asked]);
  expect(answers.filter(({ refusal }) => refusal === null)).toHaveLength(1);
  // Those dialers name no patience either: on a busy machine the slot may be over when the gate is asked.
  const askForOlder = async (): Promise<{ passed: boolean; refusal: string | null }[]> => {
    await slotNow();
    const { rows } = await pool.query<{ passed: boolean; refusal: string | null }>(
      `select * from gate_attempts($1, $2, '{1,1}', '{1,1}', '{a,b}', '{0,0}', '{null,null}')`,
      [me, [older, older]],
    );
    return rows.every(({ refusal }) => refusal === 'late') ? askForOlder() : rows;
  };
  expect((await askForOlder()).filter(({ passed }) => passed)).toHaveLength(1);
});

test('C1: nothing that a process says late, under a claim that is void, changes the attempt', async () => {
  const { db } = testEnv.database;
  const [callId = ''] = await testEnv.calls(gateway, null, numbersEndingIn(7, 1, 100));
  const { key: void_ } = await claimOne();
  await takeAway();
  const { key: held } = await claimOne();

  expect((await paceAttempts(db, me, gateway.id, [void_])).map(({ dialInMs }) => dialInMs)).toEqual([null]);
  await slotNow();
  const [late] = await gateAttempts(db, me, [{ ...void_, invite: 1, room: 'room', ...judged }]);
  expect(late?.refusal).toBe('lost');
  await releaseAttempts(db, [void_], 600);
  const waits = {
    reason: 'daily_limit' as const,
    dueAt: new Date(Date.now() + 600_000),
    notAfter: null,
    revision: '0',
    hoursAsRead: null,
  };
  await deferAttempts(db, [{ ...void_, ...waits }]);
  await settleUndialed(db, [void_], 'expired');
  expect(await rowOf(callId)).toMatchObject({ phase: 'claimed', claim_id: held.claimId, outcome: null });

  await slotNow();
  const [passed] = await gateAttempts(db, me, [{ ...held, invite: 1, room: 'room', ...judged }]);
  expect(passed?.refusal).toBeNull();
});

test('C1: a leg that was taken over has another claim: what its former dialer reports late changes nothing', async () => {
  const { db } = testEnv.database;
  const [callId = ''] = await testEnv.calls(gateway, null, numbersEndingIn(7, 1, 100));
  const { key } = await claimOne();
  await slotNow();
  await gateAttempts(db, me, [{ ...key, invite: 1, room: 'room', ...judged }]);
  await endLease(db, me);
  expect(await takeOverLegsOfDead(db, me, 10)).toEqual([]);
  const other = randomUUID();
  await startLease(db, { id: other, host: 'there', pid: 2 }, 60);
  const [taken] = await takeOverLegsOfDead(db, other, 10);
  expect(taken?.claimId).not.toBe(key.claimId);

  const progress = createProgress({
    db,
    simulated: true,
    zonesOfNumber: () => [],
    watch: (_step, work) => work(),
    logger,
    metrics: metrics(),
    onCommitted: () => undefined,
  });
  const legUnder = (claimId: string) => {
    const leg = { accountId: testEnv.accountId, batchId: null, gatewayId: gateway.id, changesHands: false };
    return { ...leg, key: { callId, attempt: 1, invite: 1 }, claimId };
  };
  const former = legUnder(key.claimId);
  progress.event(former, { type: 'answered', at: new Date(), answeredBy: 'human' });
  progress.over(former, { how: 'not_sent', rang: false, at: new Date() });
  await progress.close();
  expect(await rowOf(callId)).toMatchObject({ phase: 'dialing', claimed_by: other, answered_at: null, reason: null });

  const lines: unknown[] = [];
  const ours = createProgress({
    db,
    simulated: true,
    zonesOfNumber: () => [],
    watch: (_step, work) => work(),
    logger: createLogger('dialer', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    metrics: metrics(),
    onCommitted: () => undefined,
  });
  const ended = { how: 'refused', rang: true, sipStatusCode: 486, at: new Date() } as const;
  ours.over(legUnder(taken?.claimId ?? ''), ended);
  await ours.close();
  expect(await rowOf(callId)).toMatchObject({ phase: 'ended', outcome: 'rejected' });
  // What was not stored is in no line; what was is in one, with the ids that an operator looks for.
  const ids = {
    accountId: testEnv.accountId,
    callId: formatId('call', callId),
    attempt: 1,
    invite: 1,
    gatewayId: gateway.id,
  };
  expect(lines).toMatchObject([{ msg: 'an attempt ended', ...ids, status: 'rejected', sipStatusCode: 486 }]);
});

test('C1: a process takes nothing from itself, even if its lease has run out', async () => {
  const { db } = testEnv.database;
  const [callId = ''] = await testEnv.calls(gateway, null, numbersEndingIn(7, 1, 100));
  await claimOne();
  await endLease(db, me);
  expect(await requeueClaimedOfDead(db, me)).toEqual([]);
  expect(await rowOf(callId)).toMatchObject({ phase: 'claimed', claimed_by: me });
  expect(await requeueClaimedOfDead(db, randomUUID())).toEqual([gateway.id]);
  expect(await rowOf(callId)).toMatchObject({ phase: 'queued', claimed_by: null, claim_id: null });
});

test.each([
  ['drops it before the answer comes', true],
  ['finds by its own clocks that it has run out', false],
])('C1: the gate’s answer to a process that has lost its lease, and %s, sends nothing', async (_how, drops) => {
  await testEnv.calls(gateway, null, numbersEndingIn(7, 1, 100));
  const { attempt } = await claimOne();
  const lease = { held: true };
  const atTheGate: (() => void)[] = [];
  const late: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const [first] = result.rows;
      if (first !== undefined && 'refusal' in first) await new Promise<void>((resolve) => atTheGate.push(resolve));
      return result;
    },
  };
  const { dials, dialed, unsendable, waiting } = pipelineOf(testEnv.database.db.withPlugin(late), () => lease.held);
  dials.accept([attempt]);
  await until(() => waiting.length === 1);
  waiting[0]?.();
  await until(() => atTheGate.length === 1);
  lease.held = false;
  if (drops) dials.drop();
  atTheGate[0]?.();
  await until(() => unsendable.length === 1);
  await dials.close();
  expect(unsendable).toEqual([attempt.claimId]);
  expect(dialed).toEqual([]);
});
