import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../client.js';
import { isAboutItsData } from '../../data-fault.js';
import { inHalves } from '../../in-halves.js';
import type { DialersNow } from '../../../domain/batch/standstill.js';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';
import type { ClaimedInvite } from './claim-key.js';
import { orderColumns, orderJoins, type ClaimedAttempt } from './claim-attempts.js';

/** `DialersNow`, a column. One that was killed counts until its lease is over. */
export const dialersColumn = sql<DialersNow>`(
  select case when bool_and(p.troubled) then 'troubled' when count(*) = 0 then 'none' else 'working' end
  from dialer_processes p where p.lease_until > clock_timestamp())`;

/** The same as an answer of its own. */
export async function dialersNow(db: Db): Promise<DialersNow> {
  const { rows } = await sql<{ dialers: DialersNow }>`select ${dialersColumn} as dialers`.execute(db);
  return rows[0]?.dialers ?? 'none';
}

/** Registers a process under a new id, with a lease. */
export async function startLease(
  db: Db,
  process: { readonly id: string; readonly host: string; readonly pid: number },
  leaseSeconds: number,
): Promise<void> {
  await sql`
    insert into dialer_processes (id, host, pid, lease_until)
    values (${process.id}, ${process.host}, ${process.pid}, clock_timestamp() + make_interval(secs => ${leaseSeconds}))`.execute(
    db,
  );
}

/**
 * Renews a lease that still runs.
 *
 * @param isTroubled whether the process runs and does not do its work
 * @returns false if it has run out, which is final: others may have acted on it
 */
export async function renewLease(
  db: Db,
  processId: string,
  leaseSeconds: number,
  isTroubled: boolean,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update dialer_processes
    set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}), troubled = ${isTroubled}
    where id = ${processId} and lease_until > clock_timestamp()`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Ends the lease now: what this process holds is taken over at once. */
export async function endLease(db: Db, processId: string): Promise<void> {
  await sql`update dialer_processes set lease_until = '-infinity' where id = ${processId}`.execute(db);
}

/** Whether the attempt `a` is held by a dialer that is dead, and not by the process that asks. */
const ofDead = (processId: string) => sql`
  a.claimed_by in (select p.id from dialer_processes p where p.lease_until < clock_timestamp() and p.id <> ${processId})`;

/** Told of each attempt that PostgreSQL refuses to give back or to hand over. */
type Refused = (attempt: AttemptKey, error: unknown) => void;

/**
 * Gives back to the queue what dead dialers had claimed and not yet dialed. One that is refused keeps none of the others.
 *
 * @param processId the process that asks: takes nothing from itself
 * @returns the gateways of the attempts
 */
export async function requeueClaimedOfDead(
  db: Db,
  processId: string,
  refused: Refused = () => undefined,
): Promise<string[]> {
  const isClaimed = sql`a.phase = 'claimed' and ${ofDead(processId)}`;
  const give = async (which: RawBuilder<unknown>): Promise<string[]> => {
    const { rows } = await sql<{ gateway_id: string }>`
      with freed as (
        update call_attempts a set phase = 'queued', claimed_by = null, dial_at = null
        where ${isClaimed} ${which} returning a.gateway_id
      )
      select distinct gateway_id from freed`.execute(db);
    return rows.map((row) => row.gateway_id);
  };
  return [...new Set(await exceptRefused(db, isClaimed, { work: give, all: sql``, refused }))];
}

/** That the attempt `a` is one of these, for the end of a condition. */
const isAmong = (attempts: readonly AttemptKey[]) => sql`
  and (a.call_id, a.number) in (select * from unnest(${attempts.map(({ callId }) => callId)}::uuid[],
    ${attempts.map(({ attempt }) => attempt)}::smallint[]))`;

/**
 * Does work on all attempts of which a condition holds, and, if PostgreSQL refuses that, on halves of them.
 *
 * @param how.all the end of the condition that names all of them, in place of `isAmong`
 * @returns the rows of the work that was not refused
 */
async function exceptRefused<Row>(
  db: Db,
  condition: RawBuilder<unknown>,
  how: {
    readonly work: (which: RawBuilder<unknown>) => Promise<Row[]>;
    readonly all: RawBuilder<unknown>;
    readonly refused: Refused;
  },
): Promise<Row[]> {
  try {
    return await how.work(how.all);
  } catch (error) {
    if (!isAboutItsData(error)) throw error;
    const { rows } = await sql<AttemptKey>`
      select a.call_id as "callId", a.number as attempt from call_attempts a where ${condition}`.execute(db);
    const done: Row[] = [];
    const workOnSome = async (some: readonly AttemptKey[]): Promise<void> => {
      done.push(...(await how.work(isAmong(some))));
    };
    await inHalves(rows, workOnSome, how.refused);
    return done;
  }
}

/** A leg whose dialer died, with what the provider has to be asked with. */
export interface OrphanedLeg extends ClaimedAttempt {
  readonly room: string;
  /** Seconds since the gate let the INVITE out. */
  readonly ageSeconds: number;
}

const legsFrom = (attempts: RawBuilder<unknown>) => sql`
    select ${orderColumns}, a.room,
      extract(epoch from clock_timestamp() - a.dialed_at)::float8 as "ageSeconds"
    from ${attempts} a
    ${orderJoins}`;

/**
 * Takes over up to `most` legs of dead dialers, never its own. Several processes may ask at once: each leg goes to one. It has
 * another claim from then on, so that whatever its former dialer still writes changes nothing. One that is refused keeps none of the
 * others.
 */
export async function takeOverLegsOfDead(
  db: Db,
  processId: string,
  most: number,
  refused: Refused = () => undefined,
): Promise<OrphanedLeg[]> {
  const isOrphaned = sql`a.phase in ('dialing', 'ringing', 'answered') and ${ofDead(processId)}`;
  const take = async (which: RawBuilder<unknown>): Promise<OrphanedLeg[]> => {
    const { rows } = await sql<OrphanedLeg>`
      with orphans as (
        select a.call_id, a.number from call_attempts a where ${isOrphaned} ${which} for update skip locked
      ),
      taken as (
        update call_attempts a set claimed_by = ${processId} from orphans o
        where a.call_id = o.call_id and a.number = o.number
        returning a.*
      )
      ${legsFrom(sql`taken`)}`.execute(db);
    return rows;
  };
  return exceptRefused(db, isOrphaned, { work: take, all: sql`limit ${most}`, refused });
}

/**
 * Takes these legs over under another id of the process that follows them, after its lease has run out; not those that have
 * ended or that another dialer has taken. Locks calls by id, then attempts.
 *
 * @returns the claims under which they are held from now on
 */
export async function adoptLegs(db: Db, processId: string, legs: readonly ClaimedInvite[]): Promise<ClaimedInvite[]> {
  return db.transaction().execute(async (tx) => {
    const callIds = legs.map((leg) => leg.callId);
    await sql`select 1 from calls where id = any (${callIds}::uuid[]) order by id for no key update`.execute(tx);
    const { rows } = await sql<ClaimedInvite>`
    update call_attempts a set claimed_by = ${processId}
    from unnest(${callIds}::uuid[], ${legs.map((leg) => leg.attempt)}::smallint[],
      ${legs.map((leg) => leg.invite)}::smallint[], ${legs.map((leg) => leg.claimId)}::uuid[])
      as z (call_id, number, invite, claim_id)
    where a.call_id = z.call_id and a.number = z.number and a.invite = z.invite and a.claim_id = z.claim_id
      and a.phase in ('dialing', 'ringing', 'answered')
    returning a.call_id as "callId", a.number as attempt, a.invite, a.claim_id as "claimId"`.execute(tx);
    return rows;
  });
}

/** Legs that this process has held for a while, by the database. */
export async function oldLegs(db: Db, processId: string, olderThanSeconds: number): Promise<OrphanedLeg[]> {
  const { rows } = await sql<OrphanedLeg>`
    with held as (
      select a.* from call_attempts a
      where a.claimed_by = ${processId} and a.phase in ('dialing', 'ringing', 'answered')
        and a.dialed_at < clock_timestamp() - make_interval(secs => ${olderThanSeconds})
    )
    ${legsFrom(sql`held`)}`.execute(db);
  return rows;
}

/** Deletes processes that ended over an hour ago and hold nothing. */
export async function forgetDeadProcesses(db: Db): Promise<void> {
  await sql`
    delete from dialer_processes p where p.lease_until < clock_timestamp() - interval '1 hour'
      and not exists (
        select 1 from call_attempts a
        where a.claimed_by = p.id and a.phase in ('claimed', 'dialing', 'ringing', 'answered'))`.execute(db);
}
