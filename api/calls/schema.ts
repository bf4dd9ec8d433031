import { z } from 'zod';
import type { CallRow, CallWithAttempts } from '../../db/queries/calls-api.js';
import { callStatuses, recordStatuses, unsuccessfulStatuses } from '../../domain/call.js';
import { formatId } from '../../domain/ids.js';
import { attemptStatus, timelogOf, type TimelogAttempt, type TimelogCall } from '../../domain/timelog.js';
import { instant, ownData } from '../fields.js';

const callFields = {
  id: z.string(),
  type: z.enum(['outbound', 'inbound']),
  status: z.enum(callStatuses),
  from: z.string(),
  to: z.string(),
  roomId: z.string().optional().describe('Room of the latest attempt'),
  gatewayId: z.string(),
  ruleId: z.string().describe('The routing rule used'),
  region: z.string().optional(),
  metadata: ownData(),
  timelog: z
    .array(z.strictObject({ status: z.enum(callStatuses), timestamp: instant() }))
    .describe('Everything that the call has been; the first entry is initiated'),
};

/** What POST answers. */
export const Call = z.strictObject(callFields).meta({ id: 'Call' });

const answeredBy = z.enum(['human', 'machine', 'unknown']);

/** What GET answers. */
export const CallDetail = z
  .strictObject({
    ...callFields,
    duration: z.number().optional().describe('Seconds from the answer to the end'),
    sipStatusCode: z.int().optional().describe('Of the latest attempt'),
    reason: z.string().optional().describe('Why the latest attempt ended as it did'),
    answeredBy: answeredBy.optional(),
    simulated: z.boolean().describe('No telephone network was reached'),
    recordingUrl: z.string().optional(),
    attempts: z.array(
      z.strictObject({
        number: z.int(),
        status: z.enum(callStatuses),
        sipStatusCode: z.int().optional(),
        startedAt: instant(),
        endedAt: instant().optional(),
      }),
    ),
    agentId: z.string().optional(),
    versionId: z.string().optional().describe('Version of the agent that was live when the latest attempt was dialed'),
    batchId: z.string().optional(),
    summary: z.string().optional(),
    transcript: z.array(z.unknown()).optional(),
  })
  .meta({ id: 'CallDetail' });

// Columns whose values the database itself limits to these, read as such.
const StoredCall = z.object({
  type: z.enum(['outbound', 'inbound']),
  status: z.enum(recordStatuses),
  metadata: ownData(),
  answered_by: answeredBy.nullable(),
});
const StoredOutcome = z.enum(['answered', ...unsuccessfulStatuses]).nullable();

const timelogAttempt = (attempt: CallWithAttempts['attempts'][number]): TimelogAttempt => ({
  number: attempt.number,
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
export function callBody(call: CallRow, attempts: CallWithAttempts['attempts'] = []): z.output<typeof Call> {
  const { type, status, metadata } = StoredCall.parse(call);
  const subject: TimelogCall = {
    type,
    status,
    createdAt: call.created_at,
    endedAt: call.ended_at,
    attempts: attempts.map(timelogAttempt),
  };
  const timelog = timelogOf(subject);
  return {
    id: formatId('call', call.id),
    type,
    status: timelog.at(-1)?.status ?? 'initiated',
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

/** A call as GET answers it. */
export function callDetailBody({ call, attempts }: CallWithAttempts): z.output<typeof CallDetail> {
  const transcript = z.array(z.unknown()).safeParse(call.transcript);
  return {
    ...callBody(call, attempts),
    ...given('duration', call.talk_seconds),
    ...given('sipStatusCode', call.sip_status_code),
    ...given('reason', call.reason),
    ...given('answeredBy', StoredCall.parse(call).answered_by),
    simulated: call.simulated,
    ...given('recordingUrl', call.recording_url),
    // Only what was dialed is an attempt; one that waits in the queue has nothing to tell.
    attempts: attempts.flatMap((attempt) => {
      if (attempt.dialed_at === null) return [];
      return {
        number: attempt.number,
        status: attemptStatus(timelogAttempt(attempt)),
        ...given('sipStatusCode', attempt.sip_status_code),
        startedAt: attempt.dialed_at.toISOString(),
        ...given('endedAt', attempt.ended_at?.toISOString() ?? null),
      };
    }),
    ...given('agentId', call.agent_id),
    ...given('versionId', call.version_id),
    ...given('batchId', call.batch_id),
    ...given('summary', call.summary),
    ...(transcript.success ? { transcript: transcript.data } : {}),
  };
}
