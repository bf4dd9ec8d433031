import { tracedCalls } from '../db/queries/calls/traced.js';
import { spanOfCall } from '../domain/trace/call-spans.js';
import { recordLater } from '../platform/tracing.js';
import type { AppDeps } from './operation.js';

/** Sends the spans of calls that a request has ended while they waited for a retry: no dialer reports an end of theirs. */
export function traceCallsOver(deps: AppDeps, callIds: readonly string[]): void {
  recordLater(deps, callIds.length, async () => (await tracedCalls(deps.database.db, callIds)).map(spanOfCall));
}
