/**
 * What the other processes know of the workflows: names, inputs, signals. Types and constants only: the workflows' code
 * stays in the worker.
 */

export const workflowNames = [
  'batchCall',
  'calls',
  'deliverWebhook',
  'deployAgent',
  'ingestKnowledgeBase',
  'reconcileInbound',
  'removeBatch',
  'retention',
  'summarizeCall',
  'watchdog',
] as const;
export type WorkflowName = (typeof workflowNames)[number];

/** Started for a batch; the workflow's id is the batch's. */
export interface BatchCallInput {
  readonly accountId: string;
  readonly batchId: string;
}

/** Started for one group of a batch's calls, or for a single call. */
export type CallsInput =
  | {
      readonly accountId: string;
      readonly batchId: string;
      readonly group: number;
      /** The batch waits for this group's first pass before it starts another: tell it (signal firstPassDone). */
      readonly returnsLane?: boolean;
    }
  | { readonly accountId: string; readonly callId: string };

/** Started for a deleted batch. */
export interface RemoveBatchInput {
  readonly accountId: string;
  readonly batchId: string;
}

/** The workflow's id is the delivery's. */
export interface DeliverWebhookInput {
  readonly accountId: string;
  readonly deliveryId: string;
}

/** The workflow's id is the deployment's. */
export interface DeployAgentInput {
  readonly accountId: string;
  readonly deploymentId: string;
}

/** The workflow's id is the knowledge base's. */
export interface IngestKnowledgeBaseInput {
  readonly accountId: string;
  readonly knowledgeBaseId: string;
}

/** The workflow's id is `call_<uuid>/summary`. */
export interface SummarizeCallInput {
  readonly accountId: string;
  /** The bare UUID. */
  readonly callId: string;
}

/**
 * An attempt is over. `nextAttemptAt` is the ISO instant at which the next attempt is due, null where the call is settled.
 * Telling it twice, late or out of order is harmless.
 */
export type EndedAttempt = readonly [callId: string, attempt: number, nextAttemptAt: string | null];

export const signalNames = {
  /** To `calls`: EndedAttempt[] */
  attemptsEnded: 'attemptsEnded',
  /** To `calls`: start again from what Postgres says */
  reload: 'reload',
  /** To `batchCall`: a cancel has been committed */
  cancel: 'cancel',
  /** To `batchCall`, from its children: nearly all first attempts have been made */
  firstPassDone: 'firstPassDone',
  /** To `batchCall`: the schedule has changed, or anything else that Postgres now says otherwise */
  reconsider: 'reconsider',
  /** To `summarizeCall`: the agent has stored its last words. Too early or too late is harmless */
  transcriptClosed: 'transcriptClosed',
} as const;

/** Custom search attributes, all Keyword, by which an operator finds things in the Temporal UI. */
export const searchAttributeNames = {
  account: 'OutdialAccountId',
  batch: 'OutdialBatchId',
  status: 'OutdialStatus',
} as const;

/**
 * The task queue on which files are read, beside the workers' own. A worker takes few of them at once, because each may
 * need a hundred megabytes, and they must not hold up what is quick.
 */
export const filesQueue = (taskQueue: string): string => `${taskQueue}-files`;

/** The task queue on which documents are read: slow ones hold up no batch. */
export const documentsQueue = (taskQueue: string): string => `${taskQueue}-documents`;
