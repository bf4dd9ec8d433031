import { sql } from 'kysely';
import type { Db } from '../../client.js';

/**
 * Waits for every gate under way and keeps others waiting until the transaction ends (db/functions/01-dialing-lock.sql):
 * the last thing before the commit of whatever forbids an account's calls. After that commit no INVITE leaves that it
 * forbids.
 */
export async function takeDialingLock(tx: Db, accountId: string): Promise<void> {
  await sql`select take_dialing_lock(${accountId})`.execute(tx);
}
