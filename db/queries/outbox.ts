import type {
  PlainSignalName,
  RequestedWorkflowName,
  SignalPayloads,
  WorkflowInputs,
} from '../../domain/workflow/contract.js';
import { workflowIdOf } from '../../domain/workflow/ids.js';
import type { Db } from '../client.js';

/** A workflow to start, under the id that follows from its input. One that runs already counts as started. */
type WorkflowStart = {
  [N in RequestedWorkflowName]: {
    readonly kind: 'start';
    readonly name: N;
    /** Ids and counts, never secrets or a person's data. */
    readonly input: WorkflowInputs[N];
  };
}[RequestedWorkflowName];

/** A signal to send. A workflow that is over counts as told. */
type WorkflowSignal = {
  [S in PlainSignalName]: {
    readonly kind: 'signal';
    readonly name: S;
    readonly workflowId: string;
    readonly input: SignalPayloads[S];
  };
}[PlainSignalName];

/** Something that must happen in Temporal because of a row that is committed with it. */
export type OutboxEntry = WorkflowStart | WorkflowSignal;

/**
 * Writes down what Temporal must be told, in the transaction of the change that it follows from: either both are
 * committed or neither. It is tried right after the commit and swept until it has been done.
 */
export const addToOutbox = (tx: Db, entry: OutboxEntry): Promise<void> => addAllToOutbox(tx, [entry]);

const entriesAtOnce = 1_000;

/** The same for many. */
export async function addAllToOutbox(tx: Db, entries: readonly OutboxEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += entriesAtOnce) {
    const rows = entries.slice(from, from + entriesAtOnce).map((entry) => ({
      kind: entry.kind,
      name: entry.name,
      workflow_id: entry.kind === 'start' ? workflowIdOf(entry.name, entry.input) : entry.workflowId,
      input: JSON.stringify(entry.input),
    }));
    await tx.insertInto('outbox').values(rows).execute();
  }
}
