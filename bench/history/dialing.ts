import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { v7 as uuid } from 'uuid';
import type { Db } from '../../db/client.js';
import { claimAttempts, type ClaimedAttempt } from '../../db/queries/dialer/claim-attempts.js';
import { gateAttempts } from '../../db/queries/dialer/gate-attempts.js';
import { startLease } from '../../db/queries/dialer/lease.js';
import { paceAttempts } from '../../db/queries/dialer/pace-attempts.js';
import { markReported } from '../../db/queries/dialer/report-attempts.js';
import { queueAttempts } from '../../db/queries/calls/queue-attempts.js';
import { createDialerMetrics } from '../../dialer/metrics.js';
import { write, type Seen } from '../../dialer/write-progress.js';
import { formatId } from '../../domain/ids.js';
import type { Result } from '../result.js';
import { Pair, type Sides } from './alternate.js';
import type { Line } from './tenants.js';

const callsAtOnce = 20;
const steps = ['queue', 'claim', 'pace', 'gate', 'progress', 'outcome', 'report'] as const;
type Step = (typeof steps)[number];
type Timer = <T>(step: Step, work: () => Promise<T>) => Promise<T>;

/** A batch that runs, none of whose calls has been put in the queue. @returns its id and those of its calls in order */
export async function insertRunningBatch(
  db: Db,
  line: Line,
  calls: number,
): Promise<{ batchId: string; callIds: string[] }> {
  const batchId = formatId('batch', uuid());
  await db
    .insertInto('batches')
    .values({
      id: batchId,
      account_id: line.accountId,
      name: 'Live',
      number_id: line.numberId,
      agent_id: line.agentId,
      from_number: line.number,
      rule_id: line.ruleId,
      gateway_id: line.gatewayId,
      status: 'running',
      timing: 'immediate',
      timezone: 'UTC',
      starts_at: new Date(),
      started_at: new Date(),
      records_uploaded: calls,
      calls_per_workflow: 100,
    })
    .execute();
  const { rows } = await sql<{ id: string }>`
    insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id)
    select uuidv7(), ${line.accountId}, ${batchId}, n, '+1555' || lpad(n::text, 7, '0'), ${line.number}, ${line.ruleId},
      ${line.gatewayId}, ${line.agentId} from generate_series(0, ${calls - 1}) n
    returning id`.execute(db);
  await db.insertInto('batch_counters').values({ batch_id: batchId, pending: calls }).execute();
  return { batchId, callIds: rows.map(({ id }) => id) };
}

/**
 * Dials a batch on both databases by the dialer's own statements, twenty calls at a time and in turn: what each step costs
 * beside a history, over what it costs without.
 */
export async function measureDialing(sides: Sides, line: Line, rounds: number): Promise<readonly Result[]> {
  const pairs = new Map(steps.map((step) => [step, new Pair()]));
  const dialers = await Promise.all(
    (['small', 'large'] as const).map(async (name) => {
      const { db } = sides[name];
      const processId = randomUUID();
      await startLease(db, { id: processId, host: 'bench', pid: process.pid }, 86_400);
      // What a run that was cut off has left in a folder that is kept.
      await sql`delete from call_attempts where phase <> 'ended'`.execute(db);
      const live = await insertRunningBatch(db, line, (rounds + 2) * callsAtOnce);
      const time: Timer = async (step, work) => {
        const startedMs = performance.now();
        const result = await work();
        pairs.get(step)?.[name].push(performance.now() - startedMs);
        return result;
      };
      return { db, processId, ...live, time };
    }),
  );
  const untimed: Timer = (_step, work) => work();
  for (let round = 0; round < rounds + 2; round++) {
    for (const { db, processId, batchId, callIds, time } of dialers) {
      const ids = callIds.slice(round * callsAtOnce, (round + 1) * callsAtOnce);
      await dial(db, { line, processId, batchId, ids }, round < 2 ? untimed : time);
    }
  }
  return steps.flatMap((step) => pairs.get(step)?.resultOf(`history: ${step} of ${callsAtOnce} calls`, 1.2) ?? []);
}

export type DialedSteps = Readonly<Record<Step, number>>;

/** Dials as many calls as it is asked to, and says what each step took in milliseconds. */
export async function aDialer(
  db: Db,
  line: Line,
): Promise<{ readonly dialNext: () => Promise<DialedSteps>; readonly calls: () => number }> {
  const processId = randomUUID();
  await startLease(db, { id: processId, host: 'bench', pid: process.pid }, 86_400);
  let live = { batchId: '', callIds: [] as readonly string[] };
  let calls = 0;
  const dialNext = async (): Promise<DialedSteps> => {
    if (live.callIds.length === 0) live = await insertRunningBatch(db, line, 100 * callsAtOnce);
    const ids = live.callIds.slice(0, callsAtOnce);
    live = { ...live, callIds: live.callIds.slice(callsAtOnce) };
    const took: Record<Step, number> = { queue: 0, claim: 0, pace: 0, gate: 0, progress: 0, outcome: 0, report: 0 };
    await dial(db, { line, processId, batchId: live.batchId, ids }, async (step, work) => {
      const startedMs = performance.now();
      const result = await work();
      took[step] = performance.now() - startedMs;
      return result;
    });
    calls += ids.length;
    return took;
  };
  return { dialNext, calls: () => calls };
}

async function dial(
  db: Db,
  { line, processId, batchId, ids }: { line: Line; processId: string; batchId: string; ids: readonly string[] },
  time: Timer,
): Promise<void> {
  const request = { accountId: line.accountId, batchId, attempts: ids.map((id) => [id, 1] as const) };
  await time('queue', () => queueAttempts(db, request, new Date()));
  await sql`update gateway_admission set next_claim_at = '-infinity', next_dial_at = '-infinity'
    where gateway_id = ${line.gatewayId}`.execute(db);
  const claimed = await time('claim', () => claimAttempts(db, processId, callsAtOnce));
  if (claimed.length !== callsAtOnce) throw new Error(`${claimed.length} of ${callsAtOnce} attempts were claimed.`);
  await time('pace', () => paceAttempts(db, processId, line.gatewayId, claimed));
  await giveSlots(db, processId);
  // A statement that waits its turn on a busy machine comes after the slots that it had.
  while (!(await time('gate', () => gateAll(db, processId, claimed)))) await giveSlots(db, processId);
  const seen = claimed.map((attempt) => seenOf(attempt, batchId));
  await time('progress', () => flush(db, seen));
  await time('outcome', () => flush(db, seen.map(ended)));
  await time('report', () => markReported(db, claimed));
}

async function giveSlots(db: Db, processId: string): Promise<void> {
  await sql`
    update call_attempts set dial_at = clock_timestamp() where claimed_by = ${processId} and phase = 'claimed'`.execute(
    db,
  );
}

/** @returns false if all came too late for their slots */
async function gateAll(db: Db, processId: string, claimed: readonly ClaimedAttempt[]): Promise<boolean> {
  const gated = await gateAttempts(
    db,
    processId,
    claimed.map((attempt) => ({
      ...attempt,
      invite: 1,
      room: `call_${attempt.callId}_1_1`,
      revision: '0',
      until: null,
    })),
  );
  if (gated.every(({ refusal }) => refusal === 'late')) return false;
  const refused = gated.filter(({ refusal }) => refusal !== null);
  if (refused.length > 0) throw new Error(`The gate refused ${refused.length} calls: ${refused[0]?.refusal ?? ''}.`);
  return true;
}

const seenOf = ({ callId, attempt, claimId, accountId, gatewayId }: ClaimedAttempt, batchId: string): Seen => ({
  key: { callId, attempt, claimId, invite: 1 },
  accountId,
  batchId,
  gatewayId,
  ringingAt: new Date(),
  answeredAt: new Date(),
  answeredBy: 'human',
});

const ended = (seen: Seen): Seen => ({
  ...seen,
  result: { how: 'ended', rang: true, reason: 'callee_hung_up', at: new Date() },
});

const metrics = createDialerMetrics(new Registry());

async function flush(db: Db, seen: readonly Seen[]): Promise<void> {
  const { passed } = await db.transaction().execute((tx) => write(tx, seen, true, metrics, () => []));
  if (passed.includes(false)) throw new Error('A call of the benchmark is not its own any more.');
}
