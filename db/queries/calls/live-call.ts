import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** A call of the account, with the room of its leg while that rings or is answered. */
export interface LiveCall {
  /** The bare UUID. */
  readonly callId: string;
  readonly type: 'outbound' | 'inbound';
  readonly simulated: boolean;
  /** As LiveKit knows it; null: no leg is up. */
  readonly room: string | null;
  /** As the gateway names it, or where the call came in: a name, `auto`, or null. */
  readonly region: string | null;
}

/** Null if the account has no such call. */
export async function findLiveCall(db: Db, accountId: string, callId: string): Promise<LiveCall | null> {
  const { rows } = await sql<LiveCall>`
    select c.id as "callId", c.type, c.simulated, a.room,
      coalesce((select l.region from inbound_legs l where l.call_id = c.id), g.sip_region) as region
    from calls c
    left join lateral (
      select x.room, x.gateway_id from call_attempts x
      where x.call_id = c.id and x.phase || '' in ('ringing', 'answered') and x.hang_up_at is null
      order by x.number desc limit 1
    ) a on true
    left join gateways g on g.id = a.gateway_id
    where c.id = ${callId}::uuid and c.account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}
