import { sql } from 'kysely';
import { ordinaryPriority } from '../../../domain/batch/dialing-order.js';
import { type CallingWindow, nextOpening, recipientZone, zonesOfWindow } from '../../../domain/call/calling-window.js';
import { distanceBetween } from '../../../domain/phone/nearness.js';
import type { Db } from '../../client.js';
import { wakeGateways } from '../dialer/wake-gateways.js';

/** A single call that has not been dialed after this time is given up: its client no longer expects it. */
export const singleCallExpirySeconds = 60;

/** An attempt that is due in more than this does not count as one that the dialer is about to make. */
const laterSeconds = 60;

/** If a window opens on none of the days that are searched, it is searched again after this. */
const neverOpenMs = 86_400_000;

export interface QueueRequest {
  readonly accountId: string;
  /** null for a single call. */
  readonly batchId: string | null;
  /** Attempts that are due now or in a moment: the queue holds a retry back until `calls.next_attempt_at`. */
  readonly attempts: readonly (readonly [callId: string, attempt: number])[];
}

/** Which of the requested attempts, by their place in the request, were not simply put in the queue to be dialed soon. */
export interface QueueAnswer {
  /** In the queue, but due in over a minute: the calling window is closed. */
  readonly later: readonly number[];
  /** Not put in the queue: the call is settled. */
  readonly settled: readonly number[];
  /** Not put in the queue: Postgres counts another number of attempts than the asker. */
  readonly astray: readonly number[];
}

interface QueueStatementAnswer {
  /** The batch is not running. */
  readonly held: boolean;
  /** Its calling window, or the time zone of one of its callees, is not the one that was read. */
  readonly windowChanged: boolean;
  readonly found: number[];
  readonly later: number[];
  readonly gateways: string[];
}

interface WindowRow {
  readonly zone: string;
  readonly opensAt: Date;
  readonly closesAt: Date;
}

/** In the statement below, the zones of a call as one text; the same for every call if the window has its own zone. */
const zoneText = (zones: readonly string[]): string => zones.join(',');

/**
 * Puts attempts in the queue and wakes the dialers: only those whose batch is running, whose call is unsettled and has made
 * exactly the attempts before. Doing it twice changes nothing. Locks as everywhere: the batch, then calls by id.
 *
 * @param now instant from which calling windows are looked for
 */
export async function queueAttempts(db: Db, request: QueueRequest, now: Date): Promise<QueueAnswer> {
  const { answer, gatewayIds } = await putInQueue(db, request, now);
  await wakeGateways(db, gatewayIds);
  return answer;
}

/**
 * Puts the first attempt of a single call in the queue, in the transaction that stores the call: it can be dialed as soon as
 * that is committed, whether or not Temporal has its workflow by then. Wake its gateway after the commit.
 */
export async function queueNewCall(tx: Db, accountId: string, callId: string): Promise<void> {
  const request = { accountId, batchId: null, attempts: [[callId, 1]] } as const;
  const { gatewayIds } = await putInQueue(tx, request, new Date());
  if (gatewayIds.length === 0) throw new Error('A new call could not be queued.');
}

/**
 * Puts one more attempt of a call that was over in the queue, outside the retry plan, in the transaction that makes the call
 * an open one again. Wake the gateways after the commit.
 *
 * @returns these gateways
 */
export async function queueAgain(tx: Db, request: QueueRequest): Promise<readonly string[]> {
  const { gatewayIds } = await putInQueue(tx, request, new Date(), true);
  if (gatewayIds.length === 0) throw new Error('A call could not be queued again.');
  return gatewayIds;
}

/** @returns also the gateways that have something new */
async function putInQueue(
  db: Db,
  request: QueueRequest,
  now: Date,
  again = false,
): Promise<{ readonly answer: QueueAnswer; readonly gatewayIds: readonly string[] }> {
  const { accountId, batchId, attempts } = request;
  const callIds = attempts.map(([callId]) => callId);
  const { windows, ranks } =
    batchId === null ? { windows: null, ranks: [] } : await settingsOf(db, accountId, batchId, callIds, now);
  const perCallee = windows?.perCallee ?? false;
  const rows = windows?.rows ?? [];
  const { rows: answers } = await sql<QueueStatementAnswer>`
    with wanted as materialized (
      select w.call_id, w.number, w.place
      from unnest(${callIds}::uuid[], ${attempts.map(([, attempt]) => attempt)}::smallint[])
        with ordinality as w (call_id, number, place)
    ),
    locked as materialized (
      select id, priorities is not null as has_priorities, calling_window::text is not distinct from ${windows?.text ?? null}::text as as_read from batches
      where id = ${batchId} and account_id = ${accountId} and status = 'running' for share
    ),
    -- Times worked out with a window that has been changed in between are not used.
    batch as materialized (select id, has_priorities from locked where as_read),
    -- By their ids alone: of a table that has not been analyzed since a large file was stored, the planner expects a handful
    -- of open calls in a batch, and would compare each of hundreds of thousands with each that is wanted.
    found as materialized (
      select c.id, c.account_id, c.batch_id, c.gateway_id, c.position, c.to_number, c.time_zones, c.next_attempt_at,
        c.priority, c.settled, c.attempts_made, c.callback_attempt, c.withdrawn_invites, w.number, w.place
      from wanted w join calls c on c.id = w.call_id
      where ${batchId}::text is null or exists (select 1 from batch)
      order by c.id
      for no key update of c
    ),
    open as materialized (
      select f.id, f.account_id, f.batch_id, f.gateway_id, f.position, f.to_number, f.time_zones, f.next_attempt_at,
        case when (select has_priorities from batch) then coalesce(f.priority, ${ordinaryPriority}::smallint) end as priority,
        ${again}::boolean or f.callback_attempt is not distinct from f.number as again, coalesce(f.withdrawn_invites, 0) as invite, f.number, f.place
      from found f
      where f.account_id = ${accountId} and f.batch_id is not distinct from ${batchId}::text
        and not f.settled and f.attempts_made = f.number - 1
    ),
    zoned as materialized (
      select o.*, z.zone, z.opens_at, z.closes_at
      from open o
      left join unnest(${rows.map((row) => row.zone)}::text[], ${rows.map((row) => row.opensAt)}::timestamptz[],
          ${rows.map((row) => row.closesAt)}::timestamptz[]) as z (zone, opens_at, closes_at)
        on z.zone = case when ${perCallee} then coalesce(array_to_string(o.time_zones, ','), '') else '' end
    ),
    -- Nor are those of a callee whose zones have been found out in between. All of a request are due at one instant, whichever
    -- the plan comes to first: then their place in the file decides who is dialed first.
    timed as materialized (
      select *, greatest(coalesce(opens_at, (select clock_timestamp())), next_attempt_at) as due_at,
        coalesce(closes_at, 'infinity') as not_after
      from zoned where not ${perCallee} or not exists (select 1 from zoned where zone is null)
    ),
    queued as (
      insert into call_attempts
        (call_id, number, account_id, batch_id, gateway_id, position, to_number, priority, again, invite, due_at, not_after,
         expires_at, number_ranks)
      select t.id, t.number, t.account_id, t.batch_id, t.gateway_id, coalesce(t.position, 0), t.to_number, t.priority,
        t.again, t.invite, t.due_at, t.not_after, case when t.batch_id is null
          then clock_timestamp() + make_interval(secs => ${singleCallExpirySeconds}) else 'infinity' end,
        (select string_to_array(r.ranks, ',')::smallint[]
          from unnest(${ranks.map(({ callId }) => callId)}::uuid[], ${ranks.map((row) => row.ranks)}::text[])
            as r (call_id, ranks) where r.call_id = t.id)
      from timed t
      on conflict do nothing
      returning gateway_id
    )
    select ${batchId}::text is not null and not exists (select 1 from locked) as held,
      exists (select 1 from locked where not as_read)
        or ${perCallee} and exists (select 1 from zoned where zone is null) as "windowChanged",
      coalesce((select array_agg(place::integer - 1) from timed), '{}') as found,
      coalesce((select array_agg(place::integer - 1) from timed
        where due_at > clock_timestamp() + make_interval(secs => ${laterSeconds})), '{}') as later,
      coalesce((select array_agg(distinct gateway_id) from queued), '{}') as gateways`.execute(db);
  const [answer] = answers;
  if (answer === undefined) throw new Error('The queue gave no answer.');
  if (answer.windowChanged) return putInQueue(db, request, now, again);
  const { later, found, held, gateways } = answer;
  // A batch that is not running keeps its calls as they are: its cancel settles them.
  const all = held || found.length === attempts.length;
  const others = all ? { settled: [], astray: [] } : await explain(db, accountId, callIds, new Set(found));
  return { answer: { later, ...others }, gatewayIds: gateways };
}

interface Windows {
  readonly text: string;
  readonly perCallee: boolean;
  readonly rows: WindowRow[];
}

/** How far each number of a batch is from a callee. */
interface Ranks {
  readonly callId: string;
  /** In the order of the batch's numbers, separated by commas. */
  readonly ranks: string;
}

/** The calling window of a batch, if it has one, and the ranks of its numbers, if it has several. */
async function settingsOf(
  db: Db,
  accountId: string,
  batchId: string,
  callIds: readonly string[],
  now: Date,
): Promise<{ readonly windows: Windows | null; readonly ranks: readonly Ranks[] }> {
  const { rows } = await sql<{
    numbers: readonly string[] | null;
    callees: readonly { readonly id: string; readonly to: string }[] | null;
    window: CallingWindow | null;
    text: string;
    timezone: string;
    zones: (readonly string[] | null)[];
  }>`
    select b.calling_window as window, b.calling_window::text as text, b.timezone, b.phone_numbers as numbers,
      case when b.phone_numbers is not null then (
        select json_agg(json_build_object('id', c.id, 'to', c.to_number)) from calls c
        where c.id = any (${callIds}::uuid[])) end as callees,
      case when b.calling_window ->> 'timezone' = ${recipientZone} then
        (select coalesce(jsonb_agg(distinct to_jsonb(c.time_zones)), '[]') from calls c
          where c.id = any (${callIds}::uuid[]))
      else '[]'::jsonb end as zones
    from batches b where b.id = ${batchId} and b.account_id = ${accountId}`.execute(db);
  const [batch] = rows;
  if (batch === undefined) return { windows: null, ranks: [] };
  const { numbers, callees } = batch;
  const ranks = (callees ?? []).map(({ id, to }) => ({
    callId: id,
    ranks: (numbers ?? []).map((own) => distanceBetween(own, to)).join(),
  }));
  return { windows: windowsOf(batch, now), ranks };
}

function windowsOf(
  batch: {
    readonly window: CallingWindow | null;
    readonly text: string;
    readonly timezone: string;
    readonly zones: readonly (readonly string[] | null)[];
  },
  now: Date,
): Windows | null {
  const { window, text, timezone, zones } = batch;
  if (window === null) return null;
  const perCallee = window.timezone === recipientZone;
  const openingIn = (known: readonly string[] | null): WindowRow => {
    const opening = nextOpening(window, zonesOfWindow(window, known, timezone), now);
    const never = new Date(now.getTime() + neverOpenMs);
    return {
      zone: perCallee ? zoneText(known ?? []) : '',
      opensAt: opening?.opensAt ?? never,
      closesAt: opening?.closesAt ?? never,
    };
  };
  if (!perCallee) return { text, perCallee, rows: [openingIn(null)] };
  // Unknown and empty zones are one text, and must be one row.
  const known = new Map(zones.map((each) => [zoneText(each ?? []), each]));
  return { text, perCallee, rows: [...known.values()].map(openingIn) };
}

async function explain(
  db: Db,
  accountId: string,
  callIds: readonly string[],
  found: ReadonlySet<number>,
): Promise<Pick<QueueAnswer, 'settled' | 'astray'>> {
  const missing = callIds.map((callId, place) => ({ callId, place })).filter(({ place }) => !found.has(place));
  const { rows } = await sql<{ id: string }>`
    select id from calls where id = any (${missing.map(({ callId }) => callId)}::uuid[])
      and account_id = ${accountId} and not settled`.execute(db);
  const unsettled = new Set(rows.map((row) => row.id));
  return {
    // A call that is gone altogether, with its deleted batch, needs nothing more either.
    settled: missing.filter(({ callId }) => !unsettled.has(callId)).map(({ place }) => place),
    astray: missing.filter(({ callId }) => unsettled.has(callId)).map(({ place }) => place),
  };
}
