import { sql } from 'kysely';
import type { Db } from '../../../db/client.js';
import type { CallFilter } from '../../../db/queries/calls/filter.js';
import { liveKitRoom } from '../../../domain/call/room.js';

/** What a list of calls must find, by a statement that reads all of them: ids, newest first; those of a batch from its end. */
export async function matchingCalls(db: Db, accountId: string, filter: CallFilter): Promise<string[]> {
  const { ids, roomId, roomCallId, batchId, gatewayId, ruleId, type, statuses, search, createdFrom, createdUntil } =
    filter;
  const { talk, isRecorded } = filter;
  const isSent = (value: unknown) => value !== undefined;
  const { rows } = await sql<{ id: string }>`
    select c.id from calls c
    where c.account_id = ${accountId}
      and (c.batch_id is null or exists (select 1 from batches b where b.id = c.batch_id))
      and (not ${isSent(ids)}::boolean or c.id = any (${[...(ids ?? [])]}::uuid[]))
      and (not ${isSent(batchId)}::boolean or c.batch_id = ${batchId ?? ''})
      and (not ${isSent(gatewayId)}::boolean or c.gateway_id = ${gatewayId ?? ''})
      and (not ${isSent(ruleId)}::boolean or c.rule_id = ${ruleId ?? ''})
      and (not ${isSent(type)}::boolean or c.type = ${type ?? ''})
      and (not ${isSent(createdFrom)}::boolean or c.created_at >= ${createdFrom ?? null}::timestamptz)
      and (not ${isSent(createdUntil)}::boolean or c.created_at <= ${createdUntil ?? null}::timestamptz)
      and (not ${isSent(talk)}::boolean or c.settled and c.talk_seconds between ${talk?.least ?? 0}::float8 and ${talk?.most ?? Infinity}::float8)
      and (not ${isSent(isRecorded)}::boolean or ${isRecorded ?? null}::boolean = exists (select 1 from recordings r where r.call_id = c.id))
      and (strpos(c.to_number, ${search}) > 0 or strpos(c.from_number, ${search}) > 0)
      and (not ${isSent(roomId)}::boolean or c.room_id = ${roomId ?? ''} and (
        c.id = ${roomCallId ?? null}::uuid or c.settled and strpos(c.room_id, c.id::text) = 0
        or not c.settled and (c.options ->> 'destinationRoomId' = ${roomId ?? ''}
        or exists (select 1 from inbound_legs l where l.call_id = c.id
          and l.room in (${roomId ?? ''}, ${liveKitRoom(accountId, roomId ?? '')}))
        or exists (select 1 from call_attempts a where a.call_id = c.id and a.phase in ('claimed', 'dialing', 'ringing', 'answered'))
        or exists (select 1 from routing_rules r where r.id = c.rule_id and r.room_id = ${roomId ?? ''}))))
      and (${statuses.length === 0}::boolean or case
        when c.settled then case c.status when 'answered' then 'ended' when 'cancelled' then 'abandoned' else c.status end
        when c.status = 'in-progress' then 'answered'
        else coalesce((
          select case when a.outcome is not null then case a.outcome when 'answered' then 'ended' else a.outcome end
            when a.answered_at is not null then 'answered' when a.ringing_at is not null then 'ringing'
            when c.type = 'inbound' then 'incoming' else 'initiated' end
          from call_attempts a
          where a.call_id = c.id and (a.number = 1 or a.dialed_at is not null or a.outcome is not null)
          order by a.number desc limit 1), case c.type when 'inbound' then 'incoming' else 'initiated' end)
        end = any (${[...statuses]}::text[]))
    order by ${batchId === undefined ? sql`c.created_at desc` : sql`c.position desc`}, c.id desc`.execute(db);
  return rows.map(({ id }) => id);
}
