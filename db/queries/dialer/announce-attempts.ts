import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { AttemptKey } from './attempt-key.js';

/**
 * Writes down what the account's SIP webhooks asked to hear of these attempts (db/functions/announce-attempts.sql), in the
 * transaction of the change. Asked again it adds nothing; for no attempts it asks nothing.
 */
export async function announceAttempts(tx: Db, keys: readonly AttemptKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    select announce_attempts(${keys.map((key) => key.callId)}::uuid[],
      ${keys.map((key) => key.number)}::smallint[])`.execute(tx);
}
