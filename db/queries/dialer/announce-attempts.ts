import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';

/**
 * Creates the deliveries of the account's SIP webhooks for what has happened to these attempts, in the transaction of the
 * change (db/functions/announce-attempts.sql). A repeated call adds nothing.
 */
export async function announceAttempts(tx: Db, keys: readonly AttemptKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    -- prepared
    select announce_attempts(${keys.map((key) => key.callId)}::uuid[],
      ${keys.map((key) => key.attempt)}::smallint[])`.execute(tx);
}
