/**
 * Temporal's contract: the workflows with their inputs and the signals with their payloads. Every folder may import it; the
 * workflows' code stays in the worker. Names and shapes are in recorded histories and in queued outbox rows, so they are
 * added to and never changed. Workflow ids are built in `ids.ts`.
 */
import type { BatchCounts } from '../batch/batch-call.js';

/** Started for a batch. */
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
  | {
      readonly accountId: string;
      /** The bare UUID. */
      readonly callId: string;
    };

/** Started for a deleted batch. */
export interface RemoveBatchInput {
  readonly accountId: string;
  readonly batchId: string;
}

export interface DeliverWebhookInput {
  readonly accountId: string;
  readonly deliveryId: string;
}

export interface DeployAgentInput {
  readonly accountId: string;
  readonly deploymentId: string;
}

export interface IngestKnowledgeBaseInput {
  readonly accountId: string;
  readonly knowledgeBaseId: string;
}

/** Started for an answered call whose agent has a summary. */
export interface SummarizeCallInput {
  readonly accountId: string;
  /** The bare UUID. */
  readonly callId: string;
  /** Whose conversation it is; omitted: the latest one, of workflows of the version before. */
  readonly attempt?: number;
}

/** Started for an answered call whose agent analyzes. */
export interface AnalyzeCallInput {
  readonly accountId: string;
  /** The bare UUID. */
  readonly callId: string;
  /** Whose conversation it is; omitted: the latest one, of workflows of the version before. */
  readonly attempt?: number;
}

/** Started when a campaign was made, changed or deleted; each change is another workflow. */
export interface ScheduleCampaignInput {
  readonly accountId: string;
  readonly campaignId: string;
  readonly revision: number;
}

/** Started by the schedule of a campaign, or because a run was asked for. */
export interface RunCampaignInput {
  readonly accountId: string;
  readonly campaignId: string;
  /** ISO instant of the request; omitted: the schedule started it. */
  readonly askedAt?: string;
}

/** Nothing: the workflow or signal handler reads Postgres instead. */
export type NoInput = Readonly<Record<string, never>>;

/** Every workflow by its name, with its input. */
export interface WorkflowInputs {
  analyzeCall: AnalyzeCallInput;
  batchCall: BatchCallInput;
  calls: CallsInput;
  deliverWebhook: DeliverWebhookInput;
  deployAgent: DeployAgentInput;
  ingestKnowledgeBase: IngestKnowledgeBaseInput;
  reconcileInbound: NoInput;
  removeBatch: RemoveBatchInput;
  retention: NoInput;
  runCampaign: RunCampaignInput;
  scheduleCampaign: ScheduleCampaignInput;
  summarizeCall: SummarizeCallInput;
  watchdog: NoInput;
}
export type WorkflowName = keyof WorkflowInputs;

/** Workflows that a Temporal Schedule starts. */
export type ScheduledWorkflowName = 'reconcileInbound' | 'retention' | 'watchdog';

/** Workflows that are started for something: their id follows from their input. */
export type RequestedWorkflowName = Exclude<WorkflowName, ScheduledWorkflowName>;

/**
 * An attempt is over. `nextAttemptAt` is the ISO instant at which the next attempt is due, null if the call is settled.
 * Telling it twice, late or out of order is harmless.
 */
export type EndedAttempt = readonly [callId: string, attempt: number, nextAttemptAt: string | null];

/** What the recipients of a running batch waited for at an ISO instant. Telling it twice, late or out of order is harmless. */
export interface ToldWaits {
  readonly at: string;
  /** The sentence of `GET /v1/batch-calls/{batchId}`: counts and times, no one's data. */
  readonly waitingFor: string;
  /** Its calls by status. */
  readonly counts: BatchCounts;
}

/** Every signal by its name, with its payload. */
export interface SignalPayloads {
  /** To `calls`. */
  attemptsEnded: readonly EndedAttempt[];
  /** To `calls`: start again from what Postgres says. */
  reload: NoInput;
  /** To `batchCall`: a cancel has been committed. */
  cancel: NoInput;
  /** To `batchCall`, from its children: nearly all first attempts of this group have been made. */
  firstPassDone: number;
  /** To `batchCall`: the schedule, the calling window or guardrails have changed. */
  reconsider: NoInput;
  /** To `batchCall`, at most once a minute: what its recipients wait for, to be shown. */
  waits: ToldWaits;
  /** To `summarizeCall` and `analyzeCall`: the agent has stored its last words. Too early or too late is harmless. */
  transcriptClosed: NoInput;
}
export type SignalName = keyof SignalPayloads;

/**
 * Signals that say no more than their name. They alone go through the outbox: ends of attempts are repeated from their rows,
 * and a child whose parent is gone has no one to tell.
 */
export type PlainSignalName = {
  [S in SignalName]: NoInput extends SignalPayloads[S] ? S : never;
}[SignalName];

/** Arguments of a signal's handler. A payload that says nothing may be omitted. */
export type SignalArguments<S extends SignalName> = S extends SignalName
  ? NoInput extends SignalPayloads[S]
    ? [payload?: NoInput]
    : [payload: SignalPayloads[S]]
  : never;

/** The compiler refuses a list that lacks a name. */
export const workflowNames = Object.keys({
  analyzeCall: true,
  batchCall: true,
  calls: true,
  deliverWebhook: true,
  deployAgent: true,
  ingestKnowledgeBase: true,
  reconcileInbound: true,
  removeBatch: true,
  retention: true,
  runCampaign: true,
  scheduleCampaign: true,
  summarizeCall: true,
  watchdog: true,
} satisfies Record<WorkflowName, true>);

/** The compiler refuses a list that lacks a name. */
export const signalNames = Object.keys({
  attemptsEnded: true,
  reload: true,
  cancel: true,
  firstPassDone: true,
  reconsider: true,
  transcriptClosed: true,
  waits: true,
} satisfies Record<SignalName, true>);

/** Custom search attributes, all Keyword, by which an operator finds things in the Temporal UI. */
export const searchAttributeNames = {
  account: 'OutdialAccountId',
  batch: 'OutdialBatchId',
  status: 'OutdialStatus',
} as const;
