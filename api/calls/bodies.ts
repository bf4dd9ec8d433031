import { z } from 'zod';
import type { CallWithAttempts } from '../../db/queries/calls/calls.js';
import { type CallStatus, recordStatuses, unsuccessfulStatuses } from '../../domain/call/call.js';
import { amountOf, sumOfCosts } from '../../domain/account/money.js';
import { formatId } from '../../domain/ids.js';
import {
  attemptStatus,
  callStatusOf,
  timelogOf,
  type TimelogAttempt,
  type TimelogCall,
} from '../../domain/call/timelog.js';
import { transferModes } from '../../domain/call/warm-transfer.js';
import { analysisBody } from '../analysis-fields.js';
import { costBody } from '../cost.js';
import { ownData } from '../fields.js';
import { answeredBy, type Call, type CallDetail, type ListedCall } from './schema.js';

// Columns whose values the database itself limits to these, read as such.
const StoredCall = z.object({
  type: z.enum(['outbound', 'inbound']),
  status: z.enum(recordStatuses),
  metadata: ownData(),
  answered_by: answeredBy.nullable(),
});
const StoredOutcome = z.enum(['answered', ...unsuccessfulStatuses]).nullable();

const timelogAttempt = (attempt: CallWithAttempts['attempts'][number]): TimelogAttempt => ({
  attempt: attempt.number,
  dialedAt: attempt.dialed_at,
  ringingAt: attempt.ringing_at,
  answeredAt: attempt.answered_at,
  endedAt: attempt.ended_at,
  outcome: StoredOutcome.parse(attempt.outcome),
});

const given = <Key extends string, Value>(key: Key, value: Value | null): Partial<Record<Key, Value>> => {
  const found: Partial<Record<Key, Value>> = {};
  if (value !== null) found[key] = value;
  return found;
};

/** A call as POST answers it. */
export function callBody({ call, attempts, transfers }: CallWithAttempts): z.output<typeof Call> {
  const { type, status, metadata } = StoredCall.parse(call);
  const subject: TimelogCall = {
    type,
    status,
    createdAt: call.created_at,
    endedAt: call.ended_at,
    attempts: attempts.map(timelogAttempt),
    transfers: transfers.map((transfer) => ({
      attempt: transfer.number,
      requestedAt: transfer.requested_at,
      endedAt: transfer.ended_at,
      transferred: transfer.status === 'transferred',
    })),
  };
  const timelog = timelogOf(subject);
  return {
    id: formatId('call', call.id),
    type,
    status: callStatusOf(subject),
    from: call.from_number,
    to: call.to_number,
    ...given('roomId', call.room_id),
    gatewayId: call.gateway_id,
    ruleId: call.rule_id,
    ...given('region', call.region),
    metadata,
    timelog: timelog.map(({ status: entry, at }) => ({ status: entry, timestamp: at.toISOString() })),
  };
}

const linked = (callId: string | null): string | null => (callId === null ? null : formatId('call', callId));

/** A call that is made again has who answered it before until the new attempt is answered, too. */
const isNotAnsweredYet = (status: CallStatus): boolean =>
  status === 'initiated' || status === 'ringing' || status === 'incoming';

/** A call as the list answers it. */
export function listedCallBody(found: CallWithAttempts): z.output<typeof ListedCall> {
  const { call } = found;
  const body = callBody(found);
  return {
    ...body,
    ...given('duration', call.talk_seconds),
    ...given('sipStatusCode', call.sip_status_code),
    ...given('reason', call.reason),
    ...given('preDialReason', call.pre_dial_reason),
    ...given('answeredBy', isNotAnsweredYet(body.status) ? null : StoredCall.parse(call).answered_by),
    simulated: call.simulated,
    ...given('agentId', call.agent_id),
    ...given('batchId', call.batch_id),
    ...given('batchName', found.batchName),
    ...given('callbackOf', linked(call.callback_of)),
    ...given('calledBackBy', linked(call.called_back_by)),
    ...given('variant', call.variant),
    ...costBody(sumOfCosts(found.attempts), found.currency),
  };
}

const transferBody = (transfer: CallWithAttempts['transfers'][number]) => ({
  mode: z.enum(transferModes).parse(transfer.mode),
  to: transfer.transfer_to,
  status:
    transfer.ended_at === null ? ('under-way' as const) : z.enum(['transferred', 'failed']).parse(transfer.status),
  ...given('sipStatusCode', transfer.sip_status_code),
  ...given('message', transfer.message),
  requestedAt: transfer.requested_at.toISOString(),
  ...given('answeredAt', transfer.answered_at?.toISOString() ?? null),
  ...given('endedAt', transfer.ended_at?.toISOString() ?? null),
  ...given('cost', transfer.cost === null ? null : amountOf(transfer.cost)),
});

const recordingPath = (callId: string): string => `/v2/sip/call/${formatId('call', callId)}/recording`;

/**
 * A call as GET answers it.
 *
 * @param baseUrl of this service, without a slash at its end
 */
export function callDetailBody(found: CallWithAttempts, baseUrl: string): z.output<typeof CallDetail> {
  const { call, attempts, transfers } = found;
  const transcript = z.array(z.unknown()).safeParse(call.transcript);
  return {
    ...listedCallBody(found),
    ...(found.isRecorded && call.settled ? { recordingUrl: `${baseUrl}${recordingPath(call.id)}` } : {}),
    // Only what was dialed is an attempt; one that waits in the queue has nothing to tell.
    attempts: attempts.flatMap((attempt) => {
      if (attempt.dialed_at === null) return [];
      return {
        number: attempt.number,
        status: attemptStatus(timelogAttempt(attempt), StoredCall.parse(call).type),
        ...given('sipStatusCode', attempt.sip_status_code),
        ...given('from', attempt.caller),
        startedAt: attempt.dialed_at.toISOString(),
        ...given('endedAt', attempt.ended_at?.toISOString() ?? null),
        ...given('cost', attempt.cost === null ? null : amountOf(attempt.cost)),
      };
    }),
    ...(transfers.length === 0 ? {} : { transfers: transfers.map(transferBody) }),
    ...given('versionId', call.version_id),
    ...given('summary', call.summary),
    ...given('summaryError', call.summary_error),
    ...analysisBody({ ...call, analysisError: call.analysis_error }),
    ...(transcript.success ? { transcript: transcript.data } : {}),
  };
}
