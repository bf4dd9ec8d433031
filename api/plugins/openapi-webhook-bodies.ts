import { z } from 'zod';
import { batchStatuses, noCalls } from '../../domain/batch/batch-call.js';
import { batchWebhookEvents } from '../../domain/batch/webhook.js';
import { summaryErrors } from '../../domain/agent/call-summary.js';
import { callStatuses } from '../../domain/call/call.js';
import type { SipWebhookEvent } from '../../domain/webhooks/sip-webhook.js';
import { Counts, StoppedBy } from '../batch-calls/schema.js';
import { calledBackBy, callbackOf } from '../calls/called-back.js';
import { Call } from '../calls/schema.js';
import { analysisFields } from '../analysis-fields.js';
import { instant, ownData } from '../fields.js';
import { endReason } from '../reasons.js';

const batchCompletedExample = {
  batchId: 'batch_0198f6f2-5c1e-7d3a-9b1f-2f6f0f6f7a01',
  batchName: 'Appointment reminders',
  status: 'completed' as const,
  recordsUploaded: 4,
  event: 'batchcall-completed' as const,
  timestamp: '2026-03-02T10:41:07.215Z',
  counts: { ...noCalls, answered: 3, human: 2, machine: 1, 'not-answered': 1 },
};

/** What a receiver gets when a batch call begins. */
export const batchStartedExample = {
  ...batchCompletedExample,
  status: 'running',
  event: 'batchcall-started',
  timestamp: '2026-03-02T09:30:00.480Z',
  counts: { ...noCalls, pending: 4 },
};

/** Body of a batch call's webhook. */
export const BatchEvent = z
  .strictObject({
    batchId: z.string().describe('Id of the batch call'),
    batchName: z.string().describe('Its name'),
    status: z.enum(batchStatuses).describe('What it was at the event: of a completed one, how it ended'),
    stoppedBy: StoppedBy.optional(),
    recordsUploaded: z.int().describe('Numbers that were to be called'),
    event: z.enum(batchWebhookEvents).describe('Which event this is'),
    timestamp: instant().describe('When it happened'),
    counts: Counts.describe('Number of calls by status, at that moment'),
  })
  .meta({
    id: 'BatchCallEvent',
    examples: [batchCompletedExample],
  });

const exampleCall = {
  id: 'call_0198f6f4-2f10-7e5a-8c21-9b0a1c2d3e4f',
  type: 'outbound',
  from: '+14155550100',
  to: '+14155550123',
  gatewayId: 'gwo_0198f6f3-8a01-7d11-b2c3-d4e5f6a7b8c9',
  ruleId: 'rule_0198f6f3-9b02-7e22-83d4-e5f6a7b8c9da',
  metadata: { first_name: 'Asha' },
  agentId: 'agt_0198f6f0-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  attempt: 1,
  simulated: false,
};

const initiated = { status: 'initiated', timestamp: '2026-03-02T09:20:00.000Z' };
const ringing = { status: 'ringing', timestamp: '2026-03-02T09:20:01.420Z' };
const answered = { status: 'answered', timestamp: '2026-03-02T09:20:07.900Z' };

/** What the example call was at each event. */
const atEvent: Readonly<Record<SipWebhookEvent, object>> = {
  'call-started': { status: 'initiated', timelog: [initiated] },
  'call-ringing': { status: 'ringing', timelog: [initiated, ringing] },
  'call-answered': { status: 'answered', timelog: [initiated, ringing, answered], answeredBy: 'unknown' },
  'call-hangup': {
    status: 'ended',
    timelog: [initiated, ringing, answered, { status: 'ended', timestamp: '2026-03-02T09:21:02.100Z' }],
    answeredBy: 'human',
    duration: 54.2,
    sipStatusCode: 200,
    reason: 'callee_hung_up',
  },
  'call-missed': {
    status: 'not-answered',
    timelog: [initiated, ringing, { status: 'not-answered', timestamp: '2026-03-02T09:20:45.310Z' }],
    sipStatusCode: 487,
    reason: 'ring_timeout',
  },
  'call-analyzed': {
    status: 'ended',
    timelog: [initiated, ringing, answered, { status: 'ended', timestamp: '2026-03-02T09:21:02.100Z' }],
    answeredBy: 'human',
    duration: 54.2,
    sipStatusCode: 200,
    reason: 'callee_hung_up',
    analysis: { appointment_kept: true, reason: 'Monday at ten suits.' },
    success: true,
  },
};

/** `call-started` → `CallStarted` */
const componentName = (event: string): string =>
  event.replace(/(?:^|-)(\w)/g, (_dash, letter: string) => letter.toUpperCase());

const answeredBy = z.enum(['human', 'machine', 'unknown']);

const CallAtEvent = z
  .strictObject({
    ...Call.shape,
    agentId: z.string().optional().describe('The agent that speaks'),
    versionId: z.string().optional().describe('Its version that was live when the attempt was dialed'),
    batchId: z.string().optional().describe('The batch call that it belongs to'),
    recipientId: z.string().optional().describe('Your own id of the recipient, if it was sent with one'),
    callbackOf: callbackOf(),
    calledBackBy: calledBackBy(),
    variant: z.string().optional().describe('versionId or agentId of it'),
    attempt: z.int().describe('Which attempt, from 1'),
    simulated: z.boolean().describe('No telephone network was reached'),
    answeredBy: answeredBy.optional().describe('Who picked up, once answered'),
    duration: z.number().optional().describe('Seconds from the answer to the end, at the end'),
    sipStatusCode: z.int().optional().describe('What the carrier answered, at the end'),
    reason: endReason().optional().describe('Why the attempt ended, at the end'),
    ...analysisFields,
  })
  .meta({ id: 'CallAtEvent', description: 'The call as it was at the event' });

/** Body of a SIP webhook: the call as it was at the event. */
export const callEvent = (event: SipWebhookEvent) =>
  z
    .strictObject({
      webhookType: z.literal(event).describe('Which event this is'),
      data: CallAtEvent,
    })
    .meta({
      id: `${componentName(event)}Event`,
      examples: [{ webhookType: event, data: { ...exampleCall, ...atEvent[event] } }],
    });

/** Body of a call summary's webhook. */
export const SummaryEvent = z
  .strictObject({
    callId: z.string().describe('Id of the call'),
    agentId: z.string().describe('The agent that spoke'),
    versionId: z.string().describe('Its version'),
    from: z.string().describe('Number that called, E.164'),
    to: z.string().describe('Number that was called, E.164'),
    direction: z.enum(['outbound', 'inbound']).describe('Who called: outbound is the agent'),
    startedAt: instant().describe('When the answered attempt was dialed'),
    duration: z.number().optional().describe('Seconds from the answer to the end'),
    status: z.enum(callStatuses).describe('How the call ended'),
    summary: z.string().nullable().describe('What was said, in short; null if none could be made'),
    summaryError: z.enum(summaryErrors).optional().describe('Why there is no summary'),
    transcript: z.array(z.unknown()).describe('What was said, turn by turn'),
    metadata: ownData().describe('Your own data of the call'),
    batchId: z.string().optional().describe('The batch call that it belongs to'),
  })
  .meta({
    id: 'CallSummaryEvent',
    examples: [
      {
        callId: exampleCall.id,
        agentId: exampleCall.agentId,
        versionId: 'ver_0198f6f0-1a2c-7a90-8d1e-6b7c8d9e0f1a',
        from: exampleCall.from,
        to: exampleCall.to,
        direction: 'outbound',
        startedAt: '2026-03-02T09:20:00.400Z',
        duration: 54.2,
        status: 'ended',
        summary: 'Asha confirms the appointment.',
        transcript: [{ speaker: 'agent', text: 'Does Monday still suit?', at: '2026-03-02T09:20:12.300Z' }],
        metadata: exampleCall.metadata,
      },
    ],
  });
