/**
 * The statuses of a call. A *call* is the work for one callee over all attempts; an *attempt* is one INVITE, or several
 * if the carrier throttled before it took one (glossary of docs/architecture.md).
 */

/** The five ways in which an attempt ends without a conversation (docs/conformance.md, POST /v1/batch-calls). */
export const unsuccessfulStatuses = ['failed', 'not-answered', 'rejected', 'missed', 'abandoned'] as const;
export type UnsuccessfulStatus = (typeof unsuccessfulStatuses)[number];

/** How an attempt ended. */
export type AttemptStatus = 'answered' | UnsuccessfulStatus;

/**
 * After what a number is called again if a plan lists it: after a status, after a machine has answered (`answeredBy`), or after a
 * conversation whose analysis found no success. The last two are `answered` as a status.
 */
export const retryOutcomes = [...unsuccessfulStatuses, 'voicemail', 'unsuccessful'] as const;
export type RetryOutcome = (typeof retryOutcomes)[number];

/** Status of a call as a record of its batch (GET /v1/batch-calls/{batchId}/records), and as stored in `calls.status`. */
export const recordStatuses = [
  'pending',
  'dialing',
  'in-progress',
  'retrying',
  'answered',
  ...unsuccessfulStatuses,
  'cancelled',
] as const;
export type RecordStatus = (typeof recordStatuses)[number];

/** Statuses in which nothing more will happen to a call. */
export const settledStatuses = ['answered', ...unsuccessfulStatuses, 'cancelled'] as const;

/** Status of a call in /v2/sip/call. */
export const callStatuses = ['initiated', 'ringing', 'incoming', 'answered', 'ended', ...unsuccessfulStatuses] as const;
export type CallStatus = (typeof callStatuses)[number];

/** What a timelog tells: the statuses of a call, and how transfers of it went, which leave its status as it is. */
export const timelogStatuses = [...callStatuses, 'transfer-initiated', 'transferred', 'transfer-failed'] as const;
export type TimelogStatus = (typeof timelogStatuses)[number];

/** Who picked up. */
export const answeredByValues = ['human', 'machine', 'unknown'] as const;
export type AnsweredBy = (typeof answeredByValues)[number];
