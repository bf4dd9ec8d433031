import { type Client, type WorkflowClient, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { WorkflowControl } from '../activities/deps.js';
import { searchAttributesOf } from '../workflows/search-attributes.js';

/** How long one request to Temporal may take; the outbox repeats what did not get through. */
const answerWithinMs = 5_000;

/**
 * Starts and signals workflows by name and id. Nothing of a workflow's code is needed for it, so every process can.
 *
 * @param taskQueue OUTDIAL_TASK_QUEUE
 */
export function createWorkflowControl(client: Client, taskQueue: string): WorkflowControl {
  const workflows: WorkflowClient = client.workflow;
  return {
    async start(name, workflowId, input) {
      try {
        await client.withDeadline(Date.now() + answerWithinMs, () =>
          workflows.start(name, {
            workflowId,
            taskQueue,
            args: [input],
            typedSearchAttributes: searchAttributesOf(input),
            staticSummary: `${name} ${workflowId}`,
          }),
        );
        return 'started';
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already';
        throw error;
      }
    },

    async signal(workflowId, name, ...payload) {
      try {
        await client.withDeadline(Date.now() + answerWithinMs, () =>
          workflows.getHandle(workflowId).signal(name, ...payload),
        );
        return 'taken';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'not_found';
        throw error;
      }
    },
  };
}
