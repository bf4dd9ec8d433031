import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** An inbound number with what its gateway and its rule say, as stored. */
export interface InboundLineRow {
  readonly number: string;
  readonly accountId: string;
  readonly gatewayId: string;
  readonly ruleId: string;
  readonly region: string;
  readonly gatewayAddresses: readonly string[];
  readonly ruleAddresses: readonly string[];
  readonly gatewayNumbers: readonly string[];
  readonly ruleNumbers: readonly string[];
  readonly authUsername: string | null;
  readonly authPasswordSealed: string | null;
  readonly mediaEncryption: string;
  readonly maxCallSeconds: number;
  readonly headersToAttributes: unknown;
  readonly includeHeaders: string;
  readonly roomType: string;
  readonly roomPrefix: string;
  readonly roomId: string | null;
  readonly roomPin: string | null;
  readonly roomPinSealed: string | null;
  readonly hidePhoneNumber: boolean;
  readonly agentId: string | null;
}

/** Only one round of the mirror at a time; the number is arbitrary. */
const mirrorLock = 728_410_062;

/** Takes the lock of the mirror until the transaction ends. @returns false if another round has it */
export async function lockMirror(tx: Db): Promise<boolean> {
  // The transaction waits while LiveKit is asked, number by number.
  await sql`set local idle_in_transaction_session_timeout = '2min'`.execute(tx);
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${mirrorLock}) as taken`.execute(tx);
  return rows[0]?.taken === true;
}

/**
 * Every number of every account that is not suspended, if it has an inbound gateway and an inbound rule; if the operator asks
 * for grants, those that are granted.
 */
export async function inboundLineRows(db: Db): Promise<InboundLineRow[]> {
  const { rows } = await sql<InboundLineRow>`
    select n.e164 as number, r.account_id as "accountId", g.id as "gatewayId", r.id as "ruleId", g.sip_region as region,
      g.allowed_addresses as "gatewayAddresses", r.allowed_ip_addresses as "ruleAddresses",
      g.allowed_numbers as "gatewayNumbers", r.allowed_numbers as "ruleNumbers", g.auth_username as "authUsername",
      g.auth_password_sealed as "authPasswordSealed", g.media_encryption as "mediaEncryption",
      g.max_call_seconds as "maxCallSeconds", r.headers_to_attributes as "headersToAttributes",
      r.include_headers as "includeHeaders", r.room_type as "roomType", r.room_prefix as "roomPrefix",
      r.room_id as "roomId", r.room_pin as "roomPin", r.room_pin_sealed as "roomPinSealed",
      r.hide_phone_number as "hidePhoneNumber", r.agent_id as "agentId"
    from rule_numbers n
    join accounts c on c.id = n.account_id and c.suspended_at is null
    join routing_rules r on r.id = n.rule_id and r.account_id = n.account_id
    join number_gateways l on l.number_id = n.number_id and l.direction = 'inbound' and l.account_id = n.account_id
    join gateways g on g.id = l.gateway_id and g.account_id = n.account_id
    where n.type = 'inbound' and is_granted(n.account_id, 'number', n.e164)
    order by n.e164`.execute(db);
  return rows;
}
