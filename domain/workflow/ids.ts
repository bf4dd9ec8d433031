import { firstAddedGroup, groupOf, isAddedGroup } from '../batch/fan-out.js';
import { formatId } from '../ids.js';
import type { RequestedWorkflowName, ScheduledWorkflowName, WorkflowInputs } from './contract.js';

/*
 * Ids of workflows. Two starts with one id are one workflow, so every start of it must build the same id.
 */

/** Id of the workflow that carries a group of a batch's calls; people see groups counted from 1. */
export const groupWorkflowId = (batchId: string, group: number): string =>
  isAddedGroup(group) ? `${batchId}/added-${group - firstAddedGroup + 1}` : `${batchId}/calls-${group + 1}`;

const idBuilders: { readonly [N in RequestedWorkflowName]: (input: WorkflowInputs[N]) => string } = {
  analyzeCall: ({ callId, attempt }) => analysisWorkflowId(callId, attempt),
  batchCall: ({ batchId }) => batchId,
  calls: (input) => ('callId' in input ? formatId('call', input.callId) : groupWorkflowId(input.batchId, input.group)),
  deliverWebhook: ({ deliveryId }) => deliveryId,
  deployAgent: ({ deploymentId }) => deploymentId,
  ingestKnowledgeBase: ({ knowledgeBaseId }) => knowledgeBaseId,
  runCampaign: ({ campaignId, askedAt = '' }) => `${campaignId}/run-${askedAt}`,
  scheduleCampaign: ({ campaignId, revision }) => `${campaignId}/schedule-${revision}`,
  removeBatch: ({ batchId }) => `${batchId}/removal`,
  summarizeCall: ({ callId, attempt }) => summaryWorkflowId(callId, attempt),
};

/** Id of the workflow that is started with this input. */
export const workflowIdOf = <N extends RequestedWorkflowName>(name: N, input: WorkflowInputs[N]): string =>
  idBuilders[name](input);

const partOf = (callId: string, part: string, attempt = 1): string =>
  `${formatId('call', callId)}/${part}${attempt > 1 ? `/${attempt}` : ''}`;

/**
 * Id of the workflow that makes the summary of a conversation. That of an earlier one may still run.
 *
 * @param callId the bare UUID
 */
export const summaryWorkflowId = (callId: string, attempt?: number): string => partOf(callId, 'summary', attempt);

/** Id of the workflow that analyzes a conversation. @param callId the bare UUID */
export const analysisWorkflowId = (callId: string, attempt?: number): string => partOf(callId, 'analysis', attempt);

/** A call, as far as its workflow's id follows from it. */
export interface CallPlace {
  /** The bare UUID. */
  readonly callId: string;
  /** null: a single call. */
  readonly batchId: string | null;
  /** Place among the good rows of the batch's file, from 0. */
  readonly position: number;
  readonly callsPerWorkflow: number | null;
}

/** Id of the `calls` workflow that carries this call. */
export const callWorkflowId = ({ callId, batchId, position, callsPerWorkflow }: CallPlace): string =>
  batchId === null ? formatId('call', callId) : groupWorkflowId(batchId, groupOf(position, callsPerWorkflow ?? 1));

const subjects = [
  ['batch_', 'batchId'],
  ['call_', 'callId'],
  ['camp_', 'campaignId'],
  ['whd_', 'deliveryId'],
  ['dep_', 'deploymentId'],
  ['kb_', 'knowledgeBaseId'],
] as const;

/** The id that a workflow is about, under its name in log lines; nothing if its id does not begin with one. */
export function subjectOfWorkflow(workflowId: string): Readonly<Record<string, string>> {
  const [id = ''] = workflowId.split('/');
  return Object.fromEntries(subjects.flatMap(([prefix, name]) => (id.startsWith(prefix) ? [[name, id]] : [])));
}

/** Id of a schedule, and of the workflows that it starts: one schedule for each task queue. */
export const scheduleIdOf = (taskQueue: string, name: ScheduledWorkflowName): string => `${taskQueue}-${name}`;

/** Id of the comparison of inbound numbers that a starting worker asks for; each change asks in SQL (`mirror_inbound`). */
export const startingReconciliationId = 'reconcile-inbound/start';

/** The subject of a batch's workflow by its id: the batch, and the group of its calls if it carries one. */
export function batchOfWorkflow(workflowId: string): { readonly batchId: string; readonly group: number | null } {
  const [batchId = '', part] = workflowId.split('/');
  const [, kind, number] = /^(calls|added)-(\d+)$/.exec(part ?? '') ?? [];
  if (number === undefined) return { batchId, group: null };
  return { batchId, group: Number(number) - 1 + (kind === 'added' ? firstAddedGroup : 0) };
}
