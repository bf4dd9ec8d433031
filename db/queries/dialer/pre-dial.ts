import { sql } from 'kysely';
import { lostAfterMs, type PreDial } from '../../../domain/batch/pre-dial.js';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';
import type { Db } from '../../client.js';

/** Channel that tells dialers that an endpoint is to be asked. */
export const preDialChannel = 'outdial_pre_dial';

/** The queue of a batch on a gateway whose endpoint is asked. */
export interface PreDialLane {
  readonly batchId: string;
  readonly gatewayId: string;
  readonly accountId: string;
}

/** A recipient that is asked about. */
export interface AskedAttempt extends AttemptKey {
  readonly accountId: string;
  readonly toNumber: string;
  readonly fromNumber: string;
  readonly recipientId: string | null;
  /** As text: what is merged into it later is only written if it is still the same. */
  readonly metadataJson: string;
}

/** A question that this process alone asks until its time is over. */
export interface PreDialQuestion extends PreDialLane {
  readonly questionId: string;
  readonly preDial: PreDial;
  readonly secretSealed: string;
  readonly previousSecretSealed: string | null;
  readonly asked: readonly AskedAttempt[];
  /** Attempts to numbers on the do-not-call list: the endpoint is not asked about them, and they end. */
  readonly notToCall: readonly AttemptKey[];
}

/** Who is written down for a question. */
type Written = Pick<PreDialQuestion, 'asked' | 'notToCall'>;

const noAttempts: Written = { asked: [], notToCall: [] };

interface LockedLane extends PreDialLane {
  readonly ahead: number;
  readonly failures: number;
  readonly preDial: PreDial | null;
  readonly dialable: boolean;
  readonly priorities: readonly number[] | null;
  readonly secretSealed: string;
  readonly previousSecretSealed: string | null;
}

/** What a process has asked and waits for. */
export interface QuestionsUnderWay {
  /** How many questions each account has under way, by its id; none: no entry. */
  readonly accounts: ReadonlyMap<string, number>;
  /** Accounts that may have no more. */
  readonly fullAccounts: readonly string[];
  /** The same of queues, as `batchId gatewayId`. */
  readonly fullLanes: readonly string[];
}

/** Of those that are due, so many are looked at for a question. */
const lookedAt = 1_000;

/** What `takeQuestion` found: `nothing` is to be asked now; `none` of this queue, and another one may be due. */
export type TakenQuestion = PreDialQuestion | 'nothing' | 'none';

/**
 * Takes the next question that is due, of up to `most` recipients at the head of a queue: that of the account with the fewest under way,
 * so that one with many batches does not come before one with few. Numbers on the do-not-call list are not asked
 * about, and not cleared either: one that leaves the list a moment later would be dialed unasked.
 */
export async function takeQuestion(
  db: Db,
  questionId: string,
  most: number,
  { accounts, fullAccounts, fullLanes }: QuestionsUnderWay,
): Promise<TakenQuestion> {
  return db.transaction().execute(async (tx) => {
    const { rows: lanes } = await sql<LockedLane>`
      with next as (
        select l.* from pre_dial_lanes l
        left join unnest(${[...accounts.keys()]}::text[], ${[...accounts.values()]}::integer[]) as u (account_id, questions)
          on u.account_id = l.account_id
        where l.ask_at <= clock_timestamp()
          and l.batch_id || ' ' || l.gateway_id <> all (${[...fullLanes]}::text[])
          and l.account_id <> all (${[...fullAccounts]}::text[])
        order by coalesce(u.questions, 0), l.ask_at
        limit 1
        for update of l skip locked
      )
      select l.batch_id as "batchId", l.gateway_id as "gatewayId", l.account_id as "accountId", l.ahead, l.failures,
        b.pre_dial as "preDial", b.priorities, t.webhook_secret_sealed as "secretSealed",
        b.status = 'running' and not b.paused and not b.window_moving and dialing_held_since(t) is null as dialable,
        case when t.previous_webhook_secret_valid_until > clock_timestamp() then t.previous_webhook_secret_sealed end
          as "previousSecretSealed"
      from next l
      join batches b on b.id = l.batch_id
      join accounts t on t.id = l.account_id`.execute(tx);
    const [lane] = lanes;
    if (lane === undefined) return 'nothing';
    const { preDial } = lane;
    const { asked, notToCall } =
      preDial === null || !lane.dialable ? noAttempts : await writtenOf(tx, lane, preDial, questionId, most);
    const written = asked.length + notToCall.length;
    // The claim comes back to a queue that runs short. One that fails is asked a question at a time.
    const goesOn = written === most && lane.failures === 0;
    await sql`
      update pre_dial_lanes set ask_at = ${goesOn ? sql`clock_timestamp()` : sql`'infinity'`}
      where batch_id = ${lane.batchId} and gateway_id = ${lane.gatewayId}`.execute(tx);
    if (preDial === null || written === 0) return 'none';
    const { batchId, gatewayId, accountId, secretSealed, previousSecretSealed } = lane;
    return { batchId, gatewayId, accountId, questionId, preDial, secretSealed, previousSecretSealed, asked, notToCall };
  });
}

/** Writes down who is asked about, in the order of the claim, and who ends because of the do-not-call list. */
async function writtenOf(
  tx: Db,
  lane: LockedLane,
  { timeoutMs }: PreDial,
  questionId: string,
  most: number,
): Promise<Written> {
  const { batchId, gatewayId, priorities } = lane;
  const inLane = sql`a.gateway_id = ${gatewayId} and a.lane = ${batchId} and a.phase = 'queued'
    and a.due_at <= clock_timestamp() and a.not_after > clock_timestamp()`;
  const { rows } = await sql<AskedAttempt & { doNotCall: boolean }>`
    with head as (
      select * from (
        (select a.call_id, a.number, 5::smallint as priority, a.due_at, a.position from call_attempts a
          where ${inLane} and (${priorities === null} or a.priority is null)
          order by a.due_at, a.position limit ${lookedAt})
        union all
        select p.* from unnest(${priorities === null ? null : [...priorities]}::smallint[]) as r (priority)
        cross join lateral (
          select a.call_id, a.number, a.priority, a.due_at, a.position from call_attempts a
          where ${inLane} and a.priority = r.priority
          order by a.due_at, a.position limit ${lookedAt}) p
      ) x
      order by x.priority, x.due_at, x.position limit ${lookedAt}
    ),
    chosen as (
      select h.* from head h
      where not exists (
        select 1 from pre_dial_answers w
        where w.call_id = h.call_id and w.number = h.number and w.holds_until > clock_timestamp())
      order by h.priority, h.due_at, h.position
      limit least(${most}, greatest(0, ${lane.ahead} - (
        select count(*) from pre_dial_answers w
        where w.batch_id = ${batchId} and w.gateway_id = ${gatewayId} and w.holds_until > clock_timestamp()
          and exists (
            select 1 from call_attempts a
            where a.call_id = w.call_id and a.number = w.number and a.phase || '' = 'queued'))))
    ),
    facts as (
      select h.*, c.account_id, c.to_number, c.from_number, c.recipient_id, c.metadata::text as metadata,
        exists (select 1 from do_not_call n where n.account_id = c.account_id and n.e164 = c.to_number) as do_not_call
      from chosen h join calls c on c.id = h.call_id
    ),
    written as (
      insert into pre_dial_answers (call_id, number, batch_id, gateway_id, question_id, cleared, holds_until)
      select f.call_id, f.number, ${batchId}, ${gatewayId}, ${questionId}, false,
        clock_timestamp() + make_interval(secs => ${(timeoutMs + lostAfterMs) / 1000})
      from facts f
      on conflict (call_id, number) do update set batch_id = excluded.batch_id, gateway_id = excluded.gateway_id,
        question_id = excluded.question_id, cleared = excluded.cleared, holds_until = excluded.holds_until
    )
    select f.call_id as "callId", f.number as attempt, f.account_id as "accountId", f.to_number as "toNumber",
      f.from_number as "fromNumber", f.recipient_id as "recipientId", f.metadata as "metadataJson",
      f.do_not_call as "doNotCall"
    from facts f order by f.priority, f.due_at, f.position`.execute(tx);
  return { asked: rows.filter(({ doNotCall }) => !doNotCall), notToCall: rows.filter(({ doNotCall }) => doNotCall) };
}

/** Notes that an endpoint answered: the next question need not wait. */
export async function endpointAnswered(db: Db, { batchId, gatewayId }: PreDialLane): Promise<void> {
  await sql`
    update pre_dial_lanes set failures = 0, failing_since = null, last_error = null,
      ask_at = least(ask_at, clock_timestamp())
    where batch_id = ${batchId} and gateway_id = ${gatewayId} and failures > 0`.execute(db);
}

/**
 * Notes that an endpoint gave no usable answer. It is asked again after a pause that doubles.
 *
 * @param pauseSeconds by how often it has failed in a row, this time included
 */
export async function endpointFailed(
  db: Db,
  { batchId, gatewayId }: PreDialLane,
  error: string,
  pauseSeconds: (failures: number) => number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ failures: number }>`
      select failures from pre_dial_lanes where batch_id = ${batchId} and gateway_id = ${gatewayId} for update`.execute(
      tx,
    );
    const failures = (rows[0]?.failures ?? 0) + 1;
    await sql`
      update pre_dial_lanes set failures = ${failures}, last_error = ${error},
        failing_since = coalesce(failing_since, clock_timestamp()),
        ask_at = clock_timestamp() + make_interval(secs => ${pauseSeconds(failures)})
      where batch_id = ${batchId} and gateway_id = ${gatewayId}`.execute(tx);
  });
}

/** Lets go of those who were asked about and have no answer: they may be asked about at once. */
export async function dropQuestion(db: Db, questionId: string): Promise<void> {
  await sql`delete from pre_dial_answers where question_id = ${questionId} and not cleared`.execute(db);
}

/**
 * Forgets what endpoints have said of a batch, because it has another one now, or none. Also questions that are under way are
 * void.
 */
export async function forgetPreDial(tx: Db, batchId: string): Promise<void> {
  await sql`
    update pre_dial_lanes set failures = 0, failing_since = null, last_error = null, ask_at = clock_timestamp()
    where batch_id = ${batchId}`.execute(tx);
  await sql`delete from pre_dial_answers where batch_id = ${batchId}`.execute(tx);
}

/** Deletes what has not counted for a minute, and the queues of batches that are over. */
export async function forgetOldPreDials(db: Db): Promise<void> {
  await sql`delete from pre_dial_answers where holds_until < clock_timestamp() - interval '1 minute'`.execute(db);
  await sql`
    delete from pre_dial_lanes l using batches b
    where b.id = l.batch_id and (b.pre_dial is null or b.status not in ('scheduled', 'running', 'cancelling'))`.execute(
    db,
  );
}
