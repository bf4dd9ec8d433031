import { sql, type RawBuilder } from 'kysely';
import { settledStatuses, type CallStatus } from '../../../domain/call/call.js';
import { liveKitRoom } from '../../../domain/call/room.js';
import type { Db } from '../../client.js';
import { talkedFor, type TalkRange } from '../batches/talk-range.js';
import { endOfMillisecond } from '../rows.js';
import { containing } from '../search-pattern.js';

/** A filter of calls; an omitted or empty field matches all. */
export interface CallFilter {
  /** Bare UUIDs. */
  readonly ids?: readonly string[] | undefined;
  readonly roomId?: string | undefined;
  /** Bare UUID of a call in the room's name, if there is one. */
  readonly roomCallId?: string | undefined;
  readonly batchId?: string | undefined;
  readonly gatewayId?: string | undefined;
  readonly ruleId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly type?: 'outbound' | 'inbound' | undefined;
  readonly statuses: readonly CallStatus[];
  /** How long they talked; those that did not, and those that are not over, are left out. */
  readonly talk?: TalkRange | undefined;
  /** Whether they have a recording. */
  readonly isRecorded?: boolean | undefined;
  /** What was said in them, as `callsThatSaid` reads it; those that are not over are left out. */
  readonly words?: string | undefined;
  /** Part of either number, in any casing. */
  readonly search: string;
  readonly createdFrom?: Date | undefined;
  readonly createdUntil?: Date | undefined;
}

type Condition = RawBuilder<unknown>;

/** Status of the open call aliased `c`, as domain/call/timelog.ts derives it: its latest attempt decides. */
const openStatus = sql`case when c.status = 'in-progress' then 'answered'
  else coalesce((
    select case when a.outcome is not null then case a.outcome when 'answered' then 'ended' else a.outcome end
      when a.answered_at is not null then 'answered' when a.ringing_at is not null then 'ringing'
      when c.type = 'inbound' then 'incoming' else 'initiated' end
    from call_attempts a
    where a.call_id = c.id and (a.number = 1 or a.dialed_at is not null or a.outcome is not null)
    order by a.number desc limit 1), case c.type when 'inbound' then 'incoming' else 'initiated' end)
  end`;

/** The status of a settled call in the list. */
const shownAs = (end: (typeof settledStatuses)[number]): CallStatus =>
  end === 'answered' ? 'ended' : end === 'cancelled' ? 'abandoned' : end;

/**
 * A part for each end that is asked for, because an index has the calls of one newest first; and one for open calls. Only a
 * settled call has an end. Saying so picks the account's index; those of gateways, rules and agents do not have it, and would
 * read the call itself for it.
 */
const inStatus = (statuses: readonly CallStatus[], byLine: boolean): Condition[] => [
  ...settledStatuses
    .filter((end) => statuses.includes(shownAs(end)))
    .map((end) => (byLine ? sql`(c.ended_as = ${end})` : sql`(c.settled and c.ended_as = ${end})`)),
  sql`(not c.settled and c.ended_as is null and ${openStatus} = any (${[...statuses]}::text[]))`,
];

/** All calls, apart by how they ended, as the indexes of gateways, rules and agents have them. */
const byEnd: readonly Condition[] = [
  ...settledStatuses.map((end) => sql`(c.ended_as = ${end})`),
  sql`(c.ended_as is null)`,
];

/** Whether an index by gateway, by rule or by agent is the one to read; any other filter has a better one. */
const isReadByLine = ({ ids, roomId, batchId, gatewayId, ruleId, agentId, search }: CallFilter): boolean =>
  (gatewayId ?? ruleId ?? agentId) !== undefined && (ids ?? roomId ?? batchId) === undefined && search === '';

const ends = (filter: CallFilter): readonly Condition[] => {
  const { talk, isRecorded, statuses } = filter;
  // A call has a talk time once it is settled; talk times make parts of their own.
  if (talk !== undefined) {
    const asked = settledStatuses.filter((end) => statuses.includes(shownAs(end)));
    return statuses.length === 0 ? [sql`true`] : [sql`c.ended_as = any (${asked}::text[])`];
  }
  const byLine = isReadByLine(filter);
  if (statuses.length > 0) return inStatus(statuses, byLine);
  // Most ends have no recording: all calls of such an end would be read for none.
  return byLine && isRecorded !== true ? byEnd : [sql`true`];
};

/**
 * A part for each range of seconds (`talk_range`, db/migrations/0153) that these talk times lie in, because an index has the calls of one
 * newest first. Few calls have these ids, are of this batch or in this room, and a search has an index that it is read by: they are one
 * part.
 */
async function talked(tx: Db, { talk, ids, roomId, batchId, search }: CallFilter): Promise<Condition[]> {
  if (talk === undefined) return [sql`true`];
  const { least = 0, most = Infinity } = talk;
  if ((ids ?? roomId ?? batchId) !== undefined || search !== '') return [talkedFor(talk)];
  const { rows } = await sql<{ first: number; last: number }>`
    select talk_range(${least}::float8) as first, talk_range(${most}::float8) as last`.execute(tx);
  const { first, last } = rows[0] ?? { first: 0, last: -1 };
  return Array.from(
    { length: last - first + 1 },
    (_, place) => sql`(talk_range(c.ended_talk_seconds) = ${first + place} and ${talkedFor(talk)})`,
  );
}

/** Whether the calls are found by their recordings, an index of which has them newest first. Those of a batch are few. */
export const areReadByRecording = ({ isRecorded, batchId }: CallFilter): boolean =>
  isRecorded === true && batchId === undefined;

/** `r`: the recording of the call, if calls are read by recordings. */
function recorded(accountId: string, filter: CallFilter): Condition {
  if (filter.isRecorded === undefined) return sql`true`;
  if (areReadByRecording(filter)) return sql`r.account_id = ${accountId}`;
  const recording = sql`exists (select 1 from recordings r where r.call_id = c.id)`;
  return filter.isRecorded ? recording : sql`not ${recording}`;
}

/**
 * A settled call is found by the room that it was in. Of an open one the room still changes and has no index: its name has the
 * call in it, or is what the call itself, the leg that came in, its rule or an attempt that is live asks for. Each is a part
 * with an index; a call is in the first part that it fits.
 */
async function inRoom(tx: Db, accountId: string, { roomId, roomCallId }: CallFilter): Promise<Condition[]> {
  if (roomId === undefined) return [sql`true`];
  const { rows: rules } = await sql<{ id: string }>`
    select r.id from routing_rules r where r.account_id = ${accountId} and r.room_id = ${roomId}`.execute(tx);
  const names = sql`(${roomId}, ${liveKitRoom(accountId, roomId)})`;
  const { rows: live } = await sql<{ id: string }>`
    select a.call_id as id from call_attempts a where a.account_id = ${accountId} and a.room in ${names}
      and a.phase in ('claimed', 'dialing', 'ringing', 'answered')`.execute(tx);
  const isThere = sql`c.room_id = ${roomId}`;
  const openThere = sql`not c.settled and ${isThere}`;
  const among = (ids: readonly { readonly id: string }[]) => sql`c.id = any (${ids.map(({ id }) => id)}::uuid[])`;
  const named = roomCallId === undefined ? sql`false` : sql`c.id = ${roomCallId}::uuid`;
  const ownRoom = sql`c.options is not null and c.options ->> 'destinationRoomId' = ${roomId}`;
  const cameIn = sql`(c.type = 'inbound' and c.batch_id is null and exists (
    select 1 from inbound_legs l where l.call_id = c.id and l.account_id = ${accountId} and l.room in ${names}))`;
  const byItself = sql`(${named} or (${ownRoom}) is true or ${cameIn} or ${among(live)})`;
  return [
    sql`(${isThere} and ${named})`,
    sql`(c.ended_room = ${roomId} and not ${named})`,
    sql`(${openThere} and ${ownRoom} and not ${named})`,
    sql`(${openThere} and ${cameIn} and (${ownRoom}) is not true and not ${named})`,
    sql`(${openThere} and ${among(live)} and not ${cameIn} and (${ownRoom}) is not true and not ${named})`,
    ...rules.map(({ id }) => sql`(${openThere} and c.ended_as is null and c.rule_id = ${id} and not ${byItself})`),
  ];
}

const own = sql`own_number(c.type, c.to_number, c.from_number)`;
const other = sql`other_number(c.type, c.to_number, c.from_number)`;
/** An index of groups of three characters cannot look for fewer. */
const leastIndexed = 3;
/** Of a longer text the end is looked for by the index: the beginnings of numbers are alike, and say little. */
const mostIndexed = 7;
/** So many numbers are looked through one by one. */
const mostApart = 12;

/** Every number with which the account has made or taken a call: from one to the next in their index. */
async function ownNumbers(tx: Db, accountId: string): Promise<string[]> {
  const next = sql`select ${own} as own_number from calls c where c.account_id = ${accountId}`;
  const { rows } = await sql<{ number: string }>`
    with recursive numbers as (
      (${next} order by 1 limit 1)
      union all
      select (${next} and ${own} > n.own_number order by 1 limit 1) from numbers n where n.own_number is not null
    )
    select own_number as number from numbers where own_number is not null`.execute(tx);
  return rows.map(({ number }) => number);
}

/**
 * Calls whose own number has the text in it, a part for each such number; and calls with another own number whose callee or
 * caller has it.
 */
async function found(tx: Db, accountId: string, search: string): Promise<Condition[]> {
  if (search === '') return [sql`true`];
  const numbers = await ownNumbers(tx, accountId);
  const matching = numbers.filter((number) => number.includes(search));
  const others = numbers.filter((number) => !number.includes(search));
  const pattern = containing(search);
  const ofOthers =
    search.length < leastIndexed
      ? withOwn(others).map((condition) => sql`(${condition} and ${other} like ${pattern})`)
      : others.length === 0
        ? []
        : [sql`(${hasPart(search)} and ${own} <> all (${matching}::text[]))`];
  return [...withOwn(matching), ...ofOthers];
}

/** Whether the other number has the text in it, by the index. */
const hasPart = (search: string): Condition =>
  search.length <= mostIndexed
    ? sql`${other} like ${containing(search)}`
    : sql`(${other} like ${containing(search.slice(-mostIndexed))} and ${other} || '' like ${containing(search)})`;

/** Conditions for each of these own numbers; a single one if they are many, because then their calls lie close together. */
const withOwn = (numbers: readonly string[]): Condition[] =>
  numbers.length > mostApart
    ? [sql`(${own} = any (${[...numbers]}::text[]))`]
    : numbers.map((number) => sql`(${own} = ${number})`);

/** The calls of a batch that has been deleted are removed in pieces: they are gone with it for every reader. */
async function ofNoDeletedBatch(tx: Db, accountId: string): Promise<Condition> {
  const { rows } = await sql<{ id: string }>`
    select batch_id as id from batch_deletions where account_id = ${accountId}`.execute(tx);
  return rows.length === 0
    ? sql`true`
    : sql`(c.batch_id is null or c.batch_id <> all (${rows.map(({ id }) => id)}::text[]))`;
}

/**
 * Whether the gateway, rule or agent says by itself whose its calls are, because it is the account's. Its index does not have
 * the account, and asking for it would read every call that is counted or skipped.
 */
async function isOwnLine(tx: Db, accountId: string, filter: CallFilter): Promise<boolean> {
  // The index of talk times has the account.
  if (!isReadByLine(filter) || filter.talk !== undefined) return false;
  const { gatewayId = null, ruleId = null, agentId = null } = filter;
  const { rows } = await sql`
    select 1 from gateways where id = ${gatewayId} and account_id = ${accountId}
    union all
    select 1 from routing_rules where id = ${ruleId} and account_id = ${accountId}
    union all
    select 1 from agents where id = ${agentId} and account_id = ${accountId} limit 1`.execute(tx);
  return rows.length > 0;
}

function everywhere(accountId: string, filter: CallFilter, isOwn: boolean): Condition {
  const { ids, batchId, gatewayId, ruleId, agentId, type, createdFrom, createdUntil } = filter;
  const conditions = isOwn ? [] : [sql`c.account_id = ${accountId}`];
  if (ids !== undefined) conditions.push(sql`c.id = any (${[...ids]}::uuid[])`);
  if (batchId !== undefined) conditions.push(sql`c.batch_id = ${batchId}`);
  // A batch's calls go through its gateway and by its rule, which they keep.
  if (gatewayId !== undefined) conditions.push(sql`c.gateway_id = ${gatewayId}`);
  if (ruleId !== undefined) conditions.push(sql`c.rule_id = ${ruleId}`);
  if (agentId !== undefined) conditions.push(sql`c.agent_id = ${agentId}`);
  if (type !== undefined) conditions.push(sql`c.type = ${type}`);
  if (createdFrom !== undefined) conditions.push(sql`c.created_at >= ${createdFrom}`);
  if (createdUntil !== undefined) conditions.push(sql`c.created_at <= ${endOfMillisecond(createdUntil)}`);
  return sql.join(conditions, sql` and `);
}

/** Whether nothing is asked for but, perhaps, the calls of one batch. */
export const isPlain = (filter: CallFilter): boolean =>
  filter.statuses.length === 0 &&
  filter.search === '' &&
  [filter.ids, filter.roomId, filter.gatewayId, filter.ruleId, filter.agentId, filter.type].every(
    (each) => each === undefined,
  ) &&
  [filter.createdFrom, filter.createdUntil, filter.talk, filter.isRecorded].every((each) => each === undefined);

/**
 * Conditions on the call aliased `c`, of which exactly one holds for each call that matches and none for any other. An index
 * gives the calls of each newest first, or gives them all and they are few; several filters at once share one of theirs.
 */
export async function partsOf(tx: Db, accountId: string, filter: CallFilter): Promise<readonly Condition[]> {
  const isOwn = await isOwnLine(tx, accountId, filter);
  const all = sql`${everywhere(accountId, filter, isOwn)} and ${await ofNoDeletedBatch(tx, accountId)}
    and ${recorded(accountId, filter)}`;
  const rooms = await inRoom(tx, accountId, filter);
  const searched = await found(tx, accountId, filter.search);
  const talks = await talked(tx, filter);
  return ends(filter).flatMap((end) =>
    rooms.flatMap((room) =>
      searched.flatMap((text) => talks.map((talk) => sql`(${all} and ${end} and ${room} and ${text} and ${talk})`)),
    ),
  );
}
