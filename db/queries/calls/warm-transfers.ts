import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { AgentLeg } from './conversation.js';

export type WarmStatus = 'wanted' | 'held' | 'calling' | 'transferred' | 'failed';

/** The latest warm transfer of a leg; null if it has had none. */
export async function warmTransferOf(
  db: Db,
  { accountId, callId, attempt }: AgentLeg,
): Promise<{ readonly id: string; readonly status: WarmStatus } | null> {
  const { rows } = await sql<{ id: string; status: WarmStatus }>`
    select id, status from call_transfers
    where account_id = ${accountId} and call_id = ${callId}::uuid and number = ${attempt} and mode = 'warm'
    order by id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** How one stands, and in words why it has failed. */
export async function transferStatus(
  db: Db,
  id: string,
): Promise<{ readonly status: string; readonly message: string | null } | null> {
  const { rows } = await sql<{ status: string; message: string | null }>`
    select status, message from call_transfers where id = ${id}`.execute(db);
  return rows[0] ?? null;
}
