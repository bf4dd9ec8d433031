import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  ChildWorkflowFailure,
  condition,
  executeChild,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  sleep,
} from '@temporalio/workflow';
import { calls } from './calls.js';
import type { BatchCallInput } from '../domain/workflow/contract.js';
import { groupWorkflowId } from '../domain/workflow/ids.js';
import { searchAttributesOf } from './search-attributes.js';
import { reload } from './signals.js';

/**
 * The children of a batch's workflow, one per group of calls. A child that was terminated, failed or could not be started
 * is started again until its group is settled. It begins from Postgres, so no call is lost with it.
 */
export interface ChildWorkflows {
  /** Starts the child of a group that has none. */
  add(group: number, returnsLane: boolean): void;
  has(group: number): boolean;
  readonly size: () => number;
  /** Children whose first pass is under way. */
  readonly slotsTaken: () => number;
  returnSlot(group: number): void;
  /** Groups other than these that have a child. */
  allBut(groups: readonly number[]): number[];
  /** Has the children of these groups read Postgres again. */
  remind(groups: readonly number[]): Promise<void>;
  /** Cancels all children and waits until they are closed; they write nothing more. */
  close(): Promise<void>;
}

const longestPauseMs = 30_000;

export function createChildWorkflows(batch: BatchCallInput): ChildWorkflows {
  const scope = new CancellationScope();
  const running = new Set<number>();
  const slots = new Set<number>();

  async function carry(group: number, returnsLane: boolean): Promise<void> {
    const workflowId = groupWorkflowId(batch.batchId, group);
    for (let losses = 0; ; losses += 1) {
      try {
        await executeChild(calls, {
          workflowId,
          args: [{ ...batch, group, ...(returnsLane ? { returnsLane } : {}) }],
          typedSearchAttributes: searchAttributesOf(batch),
          staticSummary: `calls of ${batch.batchId}, group ${group + 1}`,
        });
        return;
      } catch (error) {
        if (scope.consideredCancelled) return;
        const lost = error instanceof ChildWorkflowFailure || error instanceof WorkflowExecutionAlreadyStartedError;
        if (!lost) throw error;
        log.warn('a group of calls lost its workflow and gets another', { workflowId, losses });
        await sleep(Math.min(longestPauseMs, 500 * 2 ** losses), { summary: `before ${workflowId} is started again` });
      }
    }
  }

  return {
    add(group, returnsLane) {
      running.add(group);
      slots.add(group);
      scope
        .run(() => carry(group, returnsLane))
        .catch((error: unknown) => {
          if (!isCancellation(error)) throw error;
        })
        .finally(() => {
          running.delete(group);
          slots.delete(group);
        });
    },
    has: (group) => running.has(group),
    size: () => running.size,
    slotsTaken: () => slots.size,
    returnSlot: (group) => void slots.delete(group),
    allBut: (open) => [...running].filter((group) => !open.includes(group)),
    async remind(groups) {
      const handles = groups.map((group) => getExternalWorkflowHandle(groupWorkflowId(batch.batchId, group)));
      // One that cannot be found has ended meanwhile, or waits to be started again: either is well.
      await Promise.all(handles.map((handle) => handle.signal(reload).catch(() => undefined)));
    },
    async close() {
      scope.cancel();
      await condition(() => running.size === 0);
    },
  };
}
