import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { startAddedGroups } from './added-groups.js';
import { announceBatch } from './events.js';
import { batchObstacle } from './obstacle.js';

/**
 * Lets a batch enter `running`, from the state that it must be in; what has become unusable meanwhile pauses it, so that
 * no recipient is consumed by calls that cannot be made.
 *
 * @returns false if the batch was in another state
 */
export async function enterRunning(tx: Db, batchId: string, from: 'parsing' | 'scheduled'): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update batches set status = 'running', started_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = ${batchId} and status = ${from}`.execute(tx);
  if (numAffectedRows === 0n) return false;
  const obstacle = await batchObstacle(tx, batchId);
  if (obstacle !== null) {
    // A pause that was requested while the batch was waiting keeps its own reason.
    await sql`
      update batches set paused = true, paused_reason = ${obstacle.reason}, paused_details = ${obstacle.details}
      where id = ${batchId} and not paused`.execute(tx);
  }
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from batches where id = ${batchId} and added_groups > 0`.execute(tx);
  // Recipients that were added before the start.
  if (rows[0] !== undefined) await startAddedGroups(tx, rows[0].accountId, batchId);
  await announceBatch(tx, batchId, 'batchcall-started');
  return true;
}

/**
 * Starts a scheduled batch whose time has come.
 *
 * @param now the asker's clock, which is Temporal's: it woke up for this instant
 * @returns false if the batch is no longer scheduled, or its start was moved
 */
export async function startBatch(db: Db, accountId: string, batchId: string, now: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const due = await tx
      .selectFrom('batches')
      .select('id')
      .where('id', '=', batchId)
      .where('account_id', '=', accountId)
      .where('status', '=', 'scheduled')
      .where('starts_at', '<=', now)
      .forUpdate()
      .executeTakeFirst();
    return due !== undefined && (await enterRunning(tx, batchId, 'scheduled'));
  });
}
