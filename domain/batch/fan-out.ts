import { formatId } from '../ids.js';

/** A batch has at most about this many child workflows until each holds `mostCallsPerWorkflow` calls. */
const comfortableChildren = 200;
/** However few calls per workflow are asked for, a batch never has more children than this. */
const mostChildren = 1_000;
export const mostCallsPerWorkflow = 500;

/**
 * How many calls one child workflow of a batch carries. Fixed when the file is parsed, because it decides which workflow a
 * call belongs to.
 *
 * @param calls good rows of the batch
 * @param wanted OUTDIAL_CALLS_PER_WORKFLOW; 1 gives every call a workflow of its own
 */
export function callsPerWorkflow(calls: number, wanted?: number): number {
  const natural = wanted ?? Math.ceil(calls / comfortableChildren);
  const enough = Math.ceil(calls / mostChildren);
  return Math.min(mostCallsPerWorkflow, Math.max(1, natural, enough));
}

/** Number of child workflows for so many calls. */
export const groupCount = (calls: number, perWorkflow: number): number => Math.ceil(calls / perWorkflow);

/** The group, from 0, of the call at this place among the good rows. */
export const groupOf = (position: number, perWorkflow: number): number => Math.floor(position / perWorkflow);

/** Id of the workflow that carries a group of a batch's calls; people see groups counted from 1. */
export const groupWorkflowId = (batchId: string, group: number): string => `${batchId}/calls-${group + 1}`;

/** What a workflow's id says: the batch, and the group of its calls if it carries one. */
export function batchOfWorkflow(workflowId: string): { readonly batchId: string; readonly group: number | null } {
  const [batchId = '', part] = workflowId.split('/');
  const number = /^calls-(\d+)$/.exec(part ?? '')?.[1];
  return { batchId, group: number === undefined ? null : Number(number) - 1 };
}

/** Id of the workflow that carries a single call. */
export const singleCallWorkflowId = (callId: string): string => formatId('call', callId);
