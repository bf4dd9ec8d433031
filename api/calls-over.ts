import { tracedAttempts, tracedCalls } from '../db/queries/calls/traced.js';
import { spanOfCall, spansOfAttempt } from '../domain/trace/call-spans.js';
import { recordLater } from '../platform/tracing.js';
import type { AppDeps } from './operation.js';

/** Sends the spans of calls that a request has ended while they waited for a retry: no dialer reports an end of theirs. */
export function traceCallsOver(deps: AppDeps, callIds: readonly string[]): void {
  recordLater(deps, callIds.length, async () => (await tracedCalls(deps.database.db, callIds)).map(spanOfCall));
}

/** Sends the spans of an inbound call that is over. @param callId the bare UUID */
export function traceInboundCall(deps: AppDeps, callId: string): void {
  const { db } = deps.database;
  recordLater(deps, 4, async () => [
    ...(await tracedAttempts(db, [{ callId, attempt: 1 }])).flatMap(spansOfAttempt),
    ...(await tracedCalls(db, [callId])).map(spanOfCall),
  ]);
}
