import type { Db } from '../client.js';

/** Something that must happen in Temporal because of a row that is committed with it. */
export interface OutboxEntry {
  readonly kind: 'start' | 'signal';
  /** Name of the workflow to start or of the signal to send. */
  readonly name: string;
  /** Starting a workflow whose id is taken, and signalling one that is over, count as done. */
  readonly workflowId: string;
  /** The workflow's only argument, or the signal's. Ids and counts, never secrets or a person's data. */
  readonly input: object;
}

/**
 * Writes down what Temporal must be told, in the transaction of the change that it follows from: either both are
 * committed or neither. It is tried right after the commit and swept until it has been done.
 */
export async function addToOutbox(tx: Db, entry: OutboxEntry): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({ kind: entry.kind, name: entry.name, workflow_id: entry.workflowId, input: JSON.stringify(entry.input) })
    .execute();
}
