import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { CallStatus } from '../../domain/call.js';
import { liveKitRoom } from '../../domain/room.js';
import type { Db } from '../client.js';
import type { CallAttempts, CallTransfers } from '../types.js';
import type { CallRow, CallWithAttempts } from './calls-api.js';
import { containing } from './search-pattern.js';

/** What is left out, or empty, asks for all. */
export interface CallFilter {
  /** Bare UUIDs. */
  readonly ids?: readonly string[] | undefined;
  readonly roomId?: string | undefined;
  /** Bare UUID of a call in the room's name, where there is one. */
  readonly roomCallId?: string | undefined;
  readonly batchId?: string | undefined;
  readonly gatewayId?: string | undefined;
  readonly ruleId?: string | undefined;
  readonly type?: 'outbound' | 'inbound' | undefined;
  readonly statuses: readonly CallStatus[];
  /** Part of either number, in any casing. */
  readonly search: string;
  readonly createdFrom?: Date | undefined;
  readonly createdUntil?: Date | undefined;
}

/** Status of the call aliased `c`, as domain/timelog.ts derives it; its latest attempt decides while it is open. */
const status = sql`case
  when c.settled then case c.status when 'answered' then 'ended' when 'cancelled' then 'abandoned' else c.status end
  when c.status = 'in-progress' then 'answered'
  else coalesce((
    select case when a.outcome is not null then case a.outcome when 'answered' then 'ended' else a.outcome end
      when a.answered_at is not null then 'answered' when a.ringing_at is not null then 'ringing'
      when c.type = 'inbound' then 'incoming' else 'initiated' end
    from call_attempts a
    where a.call_id = c.id and (a.number = 1 or a.dialed_at is not null or a.outcome is not null)
    order by a.number desc limit 1), case c.type when 'inbound' then 'incoming' else 'initiated' end)
  end`;

/** The calls of these batches, and single ones by the condition: each has an index, a batch's calls need no other. */
const ofBatchesOrSingle = (batches: RawBuilder<unknown>, single: RawBuilder<unknown>) =>
  sql`(c.batch_id = any (array(select b.id from batches b where ${batches})) or (c.batch_id is null and ${single}))`;

function inRoom(accountId: string, { roomId, roomCallId }: CallFilter): RawBuilder<unknown> {
  // A room's name has the call in it, or is the rule's or the call's own: so the changing column needs no index.
  return sql`c.room_id = ${roomId} and (${roomCallId === undefined ? sql`false` : sql`c.id = ${roomCallId}::uuid`}
    or c.options ->> 'destinationRoomId' = ${roomId}
    or c.id in (select l.call_id from inbound_legs l where l.account_id = ${accountId}
      and l.room in (${roomId}, ${liveKitRoom(accountId, roomId ?? '')}))
    or c.rule_id in (select r.id from routing_rules r where r.account_id = ${accountId} and r.room_id = ${roomId}))`;
}

function conditionsOf(accountId: string, filter: CallFilter): RawBuilder<unknown> {
  const { ids, roomId, batchId, gatewayId, ruleId, type, statuses, search, createdFrom, createdUntil } = filter;
  const conditions = [sql`c.account_id = ${accountId}`];
  if (ids !== undefined) conditions.push(sql`c.id = any (${[...ids]}::uuid[])`);
  if (roomId !== undefined) conditions.push(inRoom(accountId, filter));
  if (batchId !== undefined) conditions.push(sql`c.batch_id = ${batchId}`);
  if (gatewayId !== undefined) {
    const batches = sql`b.account_id = ${accountId} and b.gateway_id = ${gatewayId}`;
    conditions.push(ofBatchesOrSingle(batches, sql`c.gateway_id = ${gatewayId}`));
  }
  if (ruleId !== undefined) {
    const batches = sql`b.account_id = ${accountId} and b.rule_id = ${ruleId}`;
    conditions.push(ofBatchesOrSingle(batches, sql`c.rule_id = ${ruleId}`));
  }
  if (type !== undefined) conditions.push(sql`c.type = ${type}`);
  if (statuses.length > 0) conditions.push(sql`${status} = any (${[...statuses]}::text[])`);
  if (search !== '') {
    const pattern = containing(search);
    conditions.push(sql`(c.to_number like ${pattern} or c.from_number like ${pattern})`);
  }
  if (createdFrom !== undefined) conditions.push(sql`c.created_at >= ${createdFrom}`);
  if (createdUntil !== undefined) conditions.push(sql`c.created_at <= ${createdUntil}`);
  return sql.join(conditions, sql` and `);
}

/** A page of the account's calls, a batch's among them, newest first; those of one instant by id, so that pages never overlap. */
export async function listCalls(
  db: Db,
  accountId: string,
  filter: CallFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly calls: readonly CallWithAttempts[] }> {
  const matching = conditionsOf(accountId, filter);
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const count = await sql<{ total: number }>`
        select count(*)::integer as total from calls c where ${matching}`.execute(tx);
      const { rows } = await sql<CallRow>`
        select c.* from calls c where ${matching}
        order by c.created_at desc, c.id desc offset ${offset} limit ${limit}`.execute(tx);
      return { total: count.rows[0]?.total ?? 0, calls: await withAttempts(tx, accountId, rows) };
    });
}

/** These calls with what their timelogs are made of. */
export async function withAttempts(tx: Db, accountId: string, calls: readonly CallRow[]): Promise<CallWithAttempts[]> {
  if (calls.length === 0) return [];
  const ids = calls.map(({ id }) => id);
  const { rows: attempts } = await sql<Selectable<CallAttempts>>`
    select * from call_attempts where account_id = ${accountId} and call_id = any (${ids}::uuid[])
    order by call_id, number`.execute(tx);
  const { rows: transfers } = await sql<Selectable<CallTransfers>>`
    select * from call_transfers where account_id = ${accountId} and call_id = any (${ids}::uuid[])
    order by call_id, id`.execute(tx);
  const { rows: recordings } = await sql<{ call_id: string }>`
    select call_id from recordings where account_id = ${accountId} and call_id = any (${ids}::uuid[])`.execute(tx);
  return calls.map((call) => ({
    call,
    attempts: attempts.filter(({ call_id }) => call_id === call.id),
    transfers: transfers.filter(({ call_id }) => call_id === call.id),
    isRecorded: recordings.some(({ call_id }) => call_id === call.id),
  }));
}
