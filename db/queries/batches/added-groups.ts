import { sql } from 'kysely';
import { firstAddedPosition, groupOf } from '../../../domain/batch/fan-out.js';
import { groupWorkflowId } from '../../../domain/workflow/ids.js';
import type { Db } from '../../client.js';
import { addAllToOutbox, addToOutbox } from '../outbox.js';

/** Calls `c` that were added by requests, not by the batch's file. */
export const isAdded = sql`c.position >= ${sql.lit(firstAddedPosition)}`;

const groupsOf = (positions: readonly { readonly position: number }[]): number[] => [
  ...new Set(positions.map(({ position }) => groupOf(position, 1))),
];

/** Starts the workflows of all added groups that hold an unsettled call; those that run count as started. */
export async function startAddedGroups(tx: Db, accountId: string, batchId: string): Promise<void> {
  const { rows } = await sql<{ position: number }>`
    select c.position from calls c where c.batch_id = ${batchId} and not c.settled and ${isAdded}`.execute(tx);
  await addAllToOutbox(
    tx,
    groupsOf(rows).map((group) => ({ kind: 'start', name: 'calls', input: { accountId, batchId, group } })),
  );
}

/** Tells the workflows of added groups whose calls a cancel has settled: nothing else ends them. */
export async function endAddedGroups(tx: Db, batchId: string): Promise<void> {
  const { rows } = await sql<{ position: number }>`
    select c.position from calls c
    where c.batch_id = ${batchId} and ${isAdded} and c.status = 'cancelled'`.execute(tx);
  await addAllToOutbox(
    tx,
    groupsOf(rows).map((group) => ({
      kind: 'signal',
      name: 'reload',
      workflowId: groupWorkflowId(batchId, group),
      input: {},
    })),
  );
}

/** Has the batch's workflow look again if nothing of the batch is left; for the end of an added group. */
export async function tellIfNothingIsLeft(db: Db, accountId: string, batchId: string): Promise<void> {
  const { rows } = await sql`
    select 1 from batches b
    where b.id = ${batchId} and b.account_id = ${accountId} and b.status = 'running' and not b.open
      and not exists (select 1 from calls c where c.batch_id = b.id and not c.settled)`.execute(db);
  if (rows.length > 0) await addToOutbox(db, { kind: 'signal', name: 'reconsider', workflowId: batchId, input: {} });
}
