import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  ChildWorkflowFailure,
  condition,
  executeChild,
  isCancellation,
  log,
  sleep,
} from '@temporalio/workflow';
import { groupWorkflowId } from '../domain/fan-out.js';
import { calls } from './calls.js';
import type { BatchCallInput } from './contract.js';
import { searchAttributesOf } from './search-attributes.js';

/**
 * The children of a batch's workflow, one per group of calls. A child that was terminated, failed or could not be started
 * is started again until its group is settled: it begins from Postgres, so nobody is lost with it.
 */
export interface Family {
  /** Starts the child of a group that has none. */
  add(group: number, returnsLane: boolean): void;
  has(group: number): boolean;
  readonly size: () => number;
  /** Children whose first pass is under way. */
  readonly lanesTaken: () => number;
  returnLane(group: number): void;
  /** Ends all children, which write nothing, and waits until they are closed. */
  close(): Promise<void>;
}

const longestPauseMs = 30_000;

export function createFamily(batch: BatchCallInput): Family {
  const scope = new CancellationScope();
  const members = new Set<number>();
  const lanes = new Set<number>();

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
      members.add(group);
      lanes.add(group);
      scope
        .run(() => carry(group, returnsLane))
        .catch((error: unknown) => {
          if (!isCancellation(error)) throw error;
        })
        .finally(() => {
          members.delete(group);
          lanes.delete(group);
        });
    },
    has: (group) => members.has(group),
    size: () => members.size,
    lanesTaken: () => lanes.size,
    returnLane: (group) => void lanes.delete(group),
    async close() {
      scope.cancel();
      await condition(() => members.size === 0);
    },
  };
}
