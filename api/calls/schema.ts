import { z } from 'zod';
import type { CallRow, CallWithAttempts } from '../../db/queries/calls-api.js';
import { callStatuses, recordStatuses, unsuccessfulStatuses } from '../../domain/call.js';
import { formatId } from '../../domain/ids.js';
import { attemptStatus, timelogOf, type TimelogAttempt, type TimelogCall } from '../../domain/timelog.js';
import { instant, ownData } from '../fields.js';

const callFields = {
  id: z.string().describe('Id of the call, `call_…`'),
  type: z.enum(['outbound', 'inbound']).describe('Who called: outbound is the agent'),
  status: z.enum(callStatuses).describe('The latest entry of the timelog'),
  from: z.string().describe('Number that calls, E.164'),
  to: z.string().describe('Number that is called, E.164'),
  roomId: z.string().optional().describe('Room of the latest attempt'),
  gatewayId: z.string().describe('The gateway that carries it'),
  ruleId: z.string().describe('The routing rule used'),
  region: z.string().optional().describe('Region of the gateway'),
  metadata: ownData().describe('Your own data, as it was sent'),
  timelog: z
    .array(
      z.strictObject({
        status: z.enum(callStatuses).describe('What the call became'),
        timestamp: instant().describe('When'),
      }),
    )
    .describe('Everything that the call has been; the first entry is initiated'),
};

/** What POST answers. */
const example = {
  id: 'call_0198f6f4-2f10-7e5a-8c21-9b0a1c2d3e4f',
  type: 'outbound',
  status: 'initiated',
  from: '+14155550100',
  to: '+14155550123',
  roomId: '0198f6f4-2f10-7e5a-8c21-9b0a1c2d3e4f-1',
  gatewayId: 'gwo_0198f6f3-8a01-7d11-b2c3-d4e5f6a7b8c9',
  ruleId: 'rule_0198f6f3-9b02-7e22-83d4-e5f6a7b8c9da',
  region: 'default',
  metadata: { first_name: 'Asha' },
  timelog: [{ status: 'initiated', timestamp: '2026-03-02T09:20:00.000Z' }],
};

export const Call = z
  .strictObject(callFields)
  .meta({ id: 'Call', description: 'A call as it was stored', examples: [example] });

const answeredBy = z.enum(['human', 'machine', 'unknown']);

/** What GET answers. */
export const CallDetail = z
  .strictObject({
    ...callFields,
    duration: z.number().optional().describe('Seconds from the answer to the end'),
    sipStatusCode: z.int().optional().describe('Of the latest attempt'),
    reason: z.string().optional().describe('Why the latest attempt ended as it did'),
    answeredBy: answeredBy.optional().describe('Who picked up'),
    simulated: z.boolean().describe('No telephone network was reached'),
    recordingUrl: z.string().optional().describe('Where the recording is, of calls whose rule records'),
    attempts: z
      .array(
        z.strictObject({
          number: z.int().describe('Which attempt, from 1'),
          status: z.enum(callStatuses).describe('How far it came'),
          sipStatusCode: z.int().optional().describe('What the carrier answered'),
          startedAt: instant().describe('When it was dialed'),
          endedAt: instant().optional().describe('When it was over'),
        }),
      )
      .describe('Every time the number was dialed'),
    agentId: z.string().optional().describe('The agent that speaks'),
    versionId: z.string().optional().describe('Version of the agent that was live when the latest attempt was dialed'),
    batchId: z.string().optional().describe('The batch call that it belongs to'),
    summary: z.string().optional().describe('What was said, in short, where the agent makes summaries'),
    transcript: z.array(z.unknown()).optional().describe('What was said, turn by turn'),
  })
  .meta({
    id: 'CallDetail',
    description: 'The call as it is now',
    examples: [
      {
        ...example,
        status: 'ended',
        timelog: [
          { status: 'initiated', timestamp: '2026-03-02T09:20:00.000Z' },
          { status: 'ringing', timestamp: '2026-03-02T09:20:01.200Z' },
          { status: 'answered', timestamp: '2026-03-02T09:20:07.900Z' },
          { status: 'ended', timestamp: '2026-03-02T09:21:02.100Z' },
        ],
        duration: 54.2,
        sipStatusCode: 200,
        answeredBy: 'human',
        simulated: false,
        attempts: [
          {
            number: 1,
            status: 'ended',
            sipStatusCode: 200,
            startedAt: '2026-03-02T09:20:00.400Z',
            endedAt: '2026-03-02T09:21:02.100Z',
          },
        ],
        agentId: 'agt_0198f6f0-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
        versionId: 'ver_0198f6f0-1a2c-7a90-8d1e-6b7c8d9e0f1a',
      },
    ],
  });

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
