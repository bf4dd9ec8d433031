import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { subjectOfWorkflow } from '../domain/workflow/ids.js';
import { withoutNumbers } from '../platform/error-fields.js';
import type { Logger } from '../platform/logger.js';

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** The fields of an entry that are written: names and ids. Others could contain what people said or sent. */
const kept = ['workflowId', 'runId', 'workflowType', 'activityId', 'activityType', 'taskQueue', 'losses'];

/** Sends the SDK's log lines, from WARN on, through ours. Once per process. */
export function logTemporalThrough(logger: Logger): void {
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      const fields = Object.fromEntries(kept.flatMap((key) => (meta?.[key] === undefined ? [] : [[key, meta[key]]])));
      const { workflowId, attempt, error }: Record<string, unknown> = meta ?? {};
      const ids = typeof workflowId === 'string' ? subjectOfWorkflow(workflowId) : {};
      // `attempt` is one of a call everywhere else.
      const runs = attempt === undefined ? {} : { try: attempt };
      const err = error instanceof Error ? { err: error } : {};
      logger[levels[level]]({ ...fields, ...ids, ...runs, ...err }, withoutNumbers(message));
    }),
    // The core's lines too: otherwise they go to standard error in another format.
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
    },
    shutdownSignals: [],
  });
}
