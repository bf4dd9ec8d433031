import { CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { toldOf } from '../platform/error-fields.js';

/**
 * What Temporal's history is told of an error of an activity. PostgreSQL, parsers and libraries quote values, which may be a person's;
 * histories stay for weeks, are shown to whoever operates Temporal, and no erasure finds them there.
 */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return new Error('An activity has thrown what is no error.');
  // A cancellation, and what is completed elsewhere, have words of Temporal's own.
  if (error instanceof CompleteAsyncError || error.name === 'AbortError') return error;
  if (error instanceof TemporalFailure && !(error instanceof ApplicationFailure)) return error;
  const { message, stack } = toldOf(error);
  // Type, details and whether it is tried again stay.
  const failure = error instanceof ApplicationFailure ? error : Object.assign(new Error(), { name: error.name });
  failure.message = message;
  failure.stack = stack;
  // Its words are in the message and in the stack.
  Object.defineProperty(failure, 'cause', { value: undefined });
  return failure;
}

/** The one place at which errors of activities become failures in Temporal. */
export const scrubFailures: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        throw failureOf(error);
      }
    },
  },
});
