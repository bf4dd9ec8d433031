import { spansOfEnded } from '../db/queries/calls/traced.js';
import { recordLater } from '../platform/tracing.js';
import type { AppDeps } from './operation.js';

/** Sends the spans of calls that a request has ended while they waited for a retry: no dialer reports an end of theirs. */
export function traceCallsOver(deps: AppDeps, callIds: readonly string[]): void {
  recordLater(deps, callIds.length, () => spansOfEnded(deps.database.db, [], callIds));
}

/** Sends the spans of an inbound call that is over. @param callId the bare UUID */
export function traceInboundCall(deps: AppDeps, callId: string): void {
  recordLater(deps, 4, () => spansOfEnded(deps.database.db, [{ callId, attempt: 1 }], [callId]));
}
