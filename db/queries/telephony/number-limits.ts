import { sql } from 'kysely';
import type { SignalName } from '../../../domain/workflow/contract.js';
import type { Db } from '../../client.js';
import { takeDialingLock } from '../dialer/dialing-lock.js';

/** Limits of one number over everything that calls from it; null: none. */
export interface NumberLimits {
  readonly maxCallsPerDay: number | null;
  readonly minSecondsBetweenCalls: number | null;
}

/** Limits of a number, what was counted of them, and what its calls of the last seven days came to. */
export interface NumberFacts extends NumberLimits {
  /** Calls of the number's present day; null if it is not counted. */
  readonly callsToday: number | null;
  /** Whose midnight begins a day of the number; null if it is not counted. */
  readonly timezone: string | null;
  readonly attempts: number;
  readonly answered: number;
}

/** Of numbers of the account, by E.164. Answers are read from the figures, whatever history there is. */
export async function factsOfNumbers(
  db: Db,
  accountId: string,
  e164s: readonly string[],
): Promise<ReadonlyMap<string, NumberFacts>> {
  const { rows } = await sql<NumberFacts & { e164: string }>`
    with days as (select (statement_timestamp() at time zone 'UTC')::date - 6 as first),
    ended as (
      select key, sum(attempts)::float8 as attempts, sum(answered)::float8 as answered from (
        select f.key, f.attempts, f.answered from figures f
        where f.account_id = ${accountId} and f.batch_id = '' and f.dimension = 'phoneNumber'
          and f.day >= (select first from days) and f.key = any (${[...e164s]}::text[])
        union all
        select c.phone_number, c.attempts, c.answered from figure_changes c
        where c.account_id = ${accountId} and c.day >= (select first from days) and c.phone_number = any (${[...e164s]}::text[])
      ) f group by key
    )
    select z.e164, n.max_calls_per_day as "maxCallsPerDay", n.min_seconds_between_calls as "minSecondsBetweenCalls",
      case when n.day = (statement_timestamp() at time zone n.timezone)::date then n.calls when n.day is not null then 0 end
        as "callsToday",
      n.timezone, coalesce(e.attempts, 0) as attempts, coalesce(e.answered, 0) as answered
    from unnest(${[...e164s]}::text[]) as z (e164)
    left join counted_numbers n on n.account_id = ${accountId} and n.e164 = z.e164
    left join ended e on e.key = z.e164`.execute(db);
  return new Map(rows.map(({ e164, ...facts }) => [e164, facts]));
}

/**
 * Has the numbers of a batch counted, so that the least used of them is known. In the transaction that makes the batch. For those
 * that were not counted before it waits for gates that let out calls uncounted.
 *
 * @param timezoneOf whose midnight begins a day of a number that was not counted before
 */
export async function countNumbers(
  tx: Db,
  accountId: string,
  e164s: readonly string[],
  timezoneOf: (e164: string) => string,
): Promise<void> {
  const uncounted = await tx
    .selectFrom('phone_numbers as p')
    .select(['p.id', 'p.e164'])
    .where('p.account_id', '=', accountId)
    .where('p.e164', 'in', [...e164s])
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('counted_numbers as n').select('n.number_id').whereRef('n.number_id', '=', 'p.id')),
      ),
    )
    .orderBy('p.id')
    .execute();
  if (uncounted.length === 0) return;
  await takeDialingLock(tx, accountId);
  for (const number of uncounted) await setNumberLimits(tx, accountId, number, {}, timezoneOf(number.e164));
}

/**
 * Sets limits of a number; calls that wait for it go by the new ones. A number that was not counted before begins with the calls that it has made today, as the figures
 * tell. Take the dialing lock of the account before: every gate that let out a call uncounted has committed then.
 *
 * @param timezone whose midnight begins a day, if the number was not counted before
 */
export async function setNumberLimits(
  tx: Db,
  accountId: string,
  number: { readonly id: string; readonly e164: string },
  limits: { readonly [L in keyof NumberLimits]?: NumberLimits[L] | undefined },
  timezone: string,
): Promise<void> {
  const { maxCallsPerDay, minSecondsBetweenCalls } = limits;
  const setsLimits = maxCallsPerDay !== undefined || minSecondsBetweenCalls !== undefined;
  const hasPools = setsLimits && (await lockPools(tx, accountId, number.e164));
  await sql`
    insert into counted_numbers (number_id, account_id, e164, timezone, day, calls)
    select ${number.id}, ${accountId}, ${number.e164}, z.name, (clock_timestamp() at time zone z.name)::date,
      (select coalesce(sum(f.attempts), 0) from (
        select attempts from figures
        where account_id = ${accountId} and batch_id = '' and dimension = 'phoneNumber' and key = ${number.e164}
          and day = (clock_timestamp() at time zone z.name)::date
        union all
        select attempts from figure_changes
        where account_id = ${accountId} and phone_number = ${number.e164}
          and day = (clock_timestamp() at time zone z.name)::date) f)
      + (select count(*) from number_gateways l
          join call_attempts a on a.gateway_id = l.gateway_id and a.phase in ('dialing', 'ringing', 'answered')
          join calls c on c.id = a.call_id and c.from_number = ${number.e164}
          where l.number_id = ${number.id} and l.direction = 'outbound')
    from (select coalesce((select name from pg_timezone_names where name = ${timezone}), 'UTC') as name) z
    -- All names of zones are read from files: not under the lock of the account for a number that has its row.
    where not exists (select 1 from counted_numbers n where n.number_id = ${number.id})
    on conflict (number_id) do nothing`.execute(tx);
  await tx
    .updateTable('counted_numbers')
    .set({
      ...(maxCallsPerDay === undefined ? {} : { max_calls_per_day: maxCallsPerDay }),
      ...(minSecondsBetweenCalls === undefined ? {} : { min_seconds_between_calls: minSecondsBetweenCalls }),
      e164: number.e164, // so that there is something to set if neither limit is named
    })
    .where('account_id', '=', accountId)
    .where('number_id', '=', number.id)
    .execute();
  if (!hasPools) return;
  await awaitClaims(tx, number.id);
  await reconsiderWaits(tx, accountId, number.e164);
}

/** Locks the running batches that call from the number among others, before what is counted of it. @returns whether there are any */
async function lockPools(tx: Db, accountId: string, e164: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from batches where account_id = ${accountId} and status = 'running' and ${e164} = any (phone_numbers)
    order by id for no key update`.execute(tx);
  return rows.length > 0;
}

/** A claim under way has put calls off by the limits of before, or puts off none until the transaction ends. */
async function awaitClaims(tx: Db, numberId: string): Promise<void> {
  await sql`
    select 1 from gateway_admission where gateway_id in (
      select gateway_id from number_gateways where number_id = ${numberId} and direction = 'outbound')
    order by gateway_id for no key update`.execute(tx);
}

/**
 * Has calls that wait for the number by limits of before looked at again: the queue of their batch is moved, as after a change of its
 * calling window, so that each keeps its hours. Waits of up to a minute end by themselves.
 */
async function reconsiderWaits(tx: Db, accountId: string, e164: string): Promise<void> {
  const reconsider: SignalName = 'reconsider';
  await sql`
    with moving as (
      update batches b set window_moving = true
      from (
        select w.id from batches w
        where w.account_id = ${accountId} and w.status = 'running' and ${e164} = any (w.phone_numbers)
          and exists (
            select 1 from call_attempts a
            where a.gateway_id = w.gateway_id and a.lane = w.id and a.phase = 'queued' and a.reason = 'number'
              and a.due_at > clock_timestamp() + interval '1 minute')
        order by w.id for no key update) r
      where b.id = r.id
      returning b.id
    )
    insert into outbox (kind, name, workflow_id, input)
    select 'signal', ${reconsider}, id, '{}' from moving order by id`.execute(tx);
}

/** The gateway that calls from the number go out by; empty: it has none. */
export async function outboundGatewaysOf(db: Db, accountId: string, numberId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('number_gateways')
    .select('gateway_id')
    .where('account_id', '=', accountId)
    .where('number_id', '=', numberId)
    .where('direction', '=', 'outbound')
    .execute();
  return rows.map((row) => row.gateway_id);
}
