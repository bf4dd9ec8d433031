import type { WorkerInterceptors } from '@temporalio/worker';
import { spansOfActivity } from '../domain/trace/batch-spans.js';
import { newSpanId, type Tracing } from '../platform/tracing.js';

/** Deliveries have spans of their own, which also tell the endpoint's answer. */
const tracedOtherwise: ReadonlySet<string> = new Set(['deliverWebhook']);

/**
 * Sends a span of each run of an activity, into the trace of the batch or call whose workflow it is of. Nothing of it is in
 * Temporal's histories.
 */
export function traceActivities(tracing: Tracing): WorkerInterceptors {
  if (!tracing.on) return {};
  return {
    activity: [
      ({ info }) => ({
        inbound: {
          async execute(input, next) {
            const startMs = Date.now();
            const began = performance.now();
            const made = (failed: boolean): void => {
              const { workflowExecution, workflowType: workflow = '', activityType: activity, attempt: run } = info;
              if (workflowExecution === undefined || tracedOtherwise.has(workflow)) return;
              const endMs = startMs + (performance.now() - began);
              const { workflowId } = workflowExecution;
              tracing.record(
                spansOfActivity({ workflowId, workflow, activity, run, startMs, endMs, failed }, newSpanId),
              );
            };
            try {
              const result = await next(input);
              made(false);
              return result;
            } catch (error) {
              made(true);
              throw error;
            }
          },
        },
      }),
    ],
  };
}
