import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { Counter, type Registry } from 'prom-client';

/** That it is not the turn of this one, or that its worker stops, is no failure. */
const isWait = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' ||
    error.name === 'CancelledFailure' ||
    (error instanceof ApplicationFailure &&
      (error.category === ApplicationFailureCategory.BENIGN || error.type === 'AccountHasItsShare')));

/**
 * Counts runs of activities that failed and are tried again, by activity: what fails again and again has no end of its own, and what waits
 * for it stands still.
 */
export function countFailures(registry: Registry): ActivityInterceptorsFactory {
  const failures = new Counter({
    name: 'outdial_activity_failures_total',
    help: 'Runs of activities that failed and are tried again, by activity.',
    labelNames: ['activity'],
    registers: [registry],
  });
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          if (!isWait(error)) failures.inc({ activity: info.activityType });
          throw error;
        }
      },
    },
  });
}
