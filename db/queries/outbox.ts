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
export async function addToOutbox(tx: Db, entry: OutboxEntry): Promise<void> {
  const workflowId = entry.kind === 'start' ? workflowIdOf(entry.name, entry.input) : entry.workflowId;
  await tx
    .insertInto('outbox')
    .values({ kind: entry.kind, name: entry.name, workflow_id: workflowId, input: JSON.stringify(entry.input) })
    .execute();
}
