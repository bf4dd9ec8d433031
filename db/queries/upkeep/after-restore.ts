import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';
import { reloadWorkflowsOf, type SettledBeside } from '../calls/stop-waiting.js';
import { recordByOperator } from '../accounts/suspension.js';
import { announceAttempts } from '../dialer/announce-attempts.js';
import { writeEnds, type AttemptEnd } from '../dialer/commit-progress.js';
import { settleUndialed } from '../dialer/settle-undialed.js';
import { addToOutbox } from '../outbox.js';

/** What is known of the time after a backup. */
export interface LostTime {
  /** When the service that is lost stopped dialing: what was due later was not dialed by it. */
  readonly stoppedAt: Date;
  /** Numbers that were dialed after the backup, by the carrier; null: not known, so whoever was due may have been. */
  readonly dialed: readonly string[] | null;
}

/** How many calls were ended because they may have been dialed after the backup. */
export interface MarkedCalls {
  /** Live when the backup was made. */
  live: number;
  /** Waiting to be dialed. */
  waiting: number;
  /** Answered, and would have been called again if their analysis found no success. */
  awaited: number;
}

/** The end of calls of which nobody knows whether they were made. */
const reason: EndReason = 'unknown';
const callsAtOnce = 1_000;

interface Candidate {
  readonly id: string;
  readonly accountId: string;
  readonly batchId: string | null;
  readonly awaited: boolean;
  readonly openAttempt: number | null;
  readonly isLive: boolean;
}

/** Until when the latest lease of a dialer runs; null if none does. */
export async function leasedUntil(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select max(lease_until) as until from dialer_processes where lease_until > clock_timestamp()`.execute(db);
  return rows[0]?.until ?? null;
}

/** Unsettled calls that may have been dialed after the backup: a page of those after this one. */
async function candidates(db: Db, { stoppedAt, dialed }: LostTime, afterId: string | null): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select c.id, c.account_id as "accountId", c.batch_id as "batchId", c.settled as awaited, a.number as "openAttempt",
      coalesce(a.phase in ('dialing', 'ringing', 'answered'), false) as "isLive"
    from calls c
    left join call_attempts a on a.call_id = c.id and a.phase <> 'ended'
    left join batches b on b.id = c.batch_id
    where c.type = 'outbound' and (not c.settled or c.analysis_until is not null)
      and (${afterId}::uuid is null or c.id > ${afterId}::uuid)
      and case when a.phase in ('dialing', 'ringing', 'answered') then true
        when ${dialed}::text[] is not null then c.to_number = any (${dialed}::text[])
        when a.phase is not null then a.due_at <= ${stoppedAt}
        else coalesce(greatest(c.next_attempt_at, b.starts_at), '-infinity') <= ${stoppedAt} end
    order by c.id limit ${callsAtOnce}`.execute(db);
  return rows;
}

/** How many calls `endWhatMayHaveBeenDialed` would end. */
export async function countWhatMayHaveBeenDialed(db: Db, lost: LostTime): Promise<MarkedCalls> {
  const marked: MarkedCalls = { live: 0, waiting: 0, awaited: 0 };
  for (let after: string | null = null; ;) {
    const page = await candidates(db, lost, after);
    for (const each of page) marked[kindOf(each)] += 1;
    after = page.at(-1)?.id ?? null;
    if (page.length < callsAtOnce) return marked;
  }
}

const kindOf = ({ isLive, awaited }: Candidate): keyof MarkedCalls =>
  isLive ? 'live' : awaited ? 'awaited' : 'waiting';

/**
 * For a database that was restored from a backup: ends the calls that the lost service may have dialed after the backup, as
 * `failed` with the reason `unknown`, so that nobody is dialed twice. Their accounts may call them again. Only while no dialer
 * runs. Interrupted, it can be repeated.
 */
export async function endWhatMayHaveBeenDialed(db: Db, lost: LostTime): Promise<MarkedCalls> {
  const marked: MarkedCalls = { live: 0, waiting: 0, awaited: 0 };
  for (let after: string | null = null; ;) {
    const page = await candidates(db, lost, after);
    for (const each of page) marked[kindOf(each)] += 1;
    await endLive(
      db,
      page.filter((each) => each.isLive),
    );
    const waiting = page.filter((each) => kindOf(each) === 'waiting');
    const queued = waiting.flatMap(({ id, openAttempt }) =>
      openAttempt === null ? [] : [{ callId: id, attempt: openAttempt }],
    );
    if (queued.length > 0) await settleUndialed(db, queued, reason);
    await endBetweenAttempts(
      db,
      waiting.filter(({ openAttempt }) => openAttempt === null).map(({ id }) => id),
    );
    await stopAwaiting(
      db,
      page.filter((each) => kindOf(each) === 'awaited'),
    );
    await recordPage(db, page);
    after = page.at(-1)?.id ?? null;
    if (page.length < callsAtOnce) return marked;
  }
}

async function endLive(db: Db, live: readonly Candidate[]): Promise<void> {
  if (live.length === 0) return;
  const ids = live.map(({ id }) => id);
  await db.transaction().execute(async (tx) => {
    await sql`select 1 from calls where id = any (${ids}::uuid[]) order by id for no key update`.execute(tx);
    const { rows } = await sql<AttemptEnd & { simulated: boolean }>`
      select a.call_id as "callId", a.number as attempt, a.invite, a.claim_id as "claimId", c.simulated,
        a.answered_at as "answeredAt", a.ringing_at as "ringingAt", a.answered_by as "answeredBy",
        clock_timestamp() as "endedAt"
      from call_attempts a join calls c on c.id = a.call_id
      where a.call_id = any (${ids}::uuid[]) and a.phase in ('dialing', 'ringing', 'answered')`.execute(tx);
    const ends = rows.map((row) => ({
      ...row,
      // Someone who has answered was reached, whatever became of the conversation.
      ...(row.answeredAt === null
        ? ({ status: 'failed', reason } as const)
        : ({ status: 'answered', reason: 'lost' } as const)),
      ...{ permanent: true, sipStatusCode: null, sipPhrase: null, transcript: null, nextAttemptAt: null },
      ...{ isCallback: false, dependsOnAnalysis: false, dropsRetry: false },
    }));
    for (const simulated of [true, false]) {
      await writeEnds(
        tx,
        ends.filter((end) => end.simulated === simulated),
        simulated,
      );
    }
    await announceAttempts(tx, ends);
  });
}

/** Those that wait for a retry, or have not been queued for their first attempt. */
async function endBetweenAttempts(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<SettledBeside>`
      update calls c
      set status = 'failed', reason = ${reason}, next_attempt_at = null, last_outcome = 'failed',
        ended_at = clock_timestamp(), updated_at = clock_timestamp()
      where c.id = any (${ids}::uuid[]) and not c.settled
      returning c.id, c.batch_id as "batchId", coalesce(c.position, 0) as position,
        (select b.calls_per_workflow from batches b where b.id = c.batch_id) as "callsPerWorkflow"`.execute(tx);
    await reloadWorkflowsOf(tx, rows);
  });
}

/** Settled calls that an analysis without success would have queued again. */
async function stopAwaiting(db: Db, awaited: readonly Candidate[]): Promise<void> {
  if (awaited.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await sql`
      update calls set analysis_until = null, updated_at = clock_timestamp()
      where id = any (${awaited.map(({ id }) => id)}::uuid[])`.execute(tx);
    for (const workflowId of new Set(awaited.flatMap(({ batchId }) => batchId ?? []))) {
      await addToOutbox(tx, { kind: 'signal', name: 'reconsider', workflowId, input: {} });
    }
  });
}

async function recordPage(db: Db, page: readonly Candidate[]): Promise<void> {
  const perAccount = new Map<string, number>();
  for (const { accountId } of page) perAccount.set(accountId, (perAccount.get(accountId) ?? 0) + 1);
  for (const [accountId, calls] of perAccount) await recordByOperator(db, accountId, 'calls.restored', { calls });
}
