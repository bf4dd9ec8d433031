import { z } from 'zod';
import { callStatuses, timelogStatuses } from '../../domain/call/call.js';
import { summaryErrors } from '../../domain/agent/call-summary.js';
import { transferModes } from '../../domain/call/warm-transfer.js';
import { analysisFields } from '../analysis-fields.js';
import { Cost } from '../cost.js';
import { instant, ownData } from '../fields.js';
import { endReason } from '../reasons.js';
import { calledBackBy, callbackOf } from './called-back.js';
import { callTraceExample, callTraceFields } from './traces.js';

export const callIdParams = z.object({
  callId: z.string().describe('Id of the call, `call_…`'),
});

const status = z.enum(callStatuses).meta({
  id: 'CallStatus',
  description:
    'initiated (incoming for an inbound call), ringing, answered; then ended, or one of the unsuccessful ends: ' +
    'not-answered (it rang), missed (it never rang), rejected, failed, abandoned (hung up before the answer)',
});

const callFields = {
  id: z.string().describe('Id of the call, `call_…`'),
  type: z.enum(['outbound', 'inbound']).describe('Who called: outbound is the agent'),
  status,
  from: z.string().describe('Number that calls, E.164'),
  to: z.string().describe('Number that is called, E.164'),
  roomId: z.string().optional().describe('Room of the latest attempt'),
  gatewayId: z.string().describe('The gateway that carries it'),
  ruleId: z.string().describe('The routing rule used'),
  region: z.string().optional().describe("The gateway's"),
  metadata: ownData().describe("The caller's own data"),
  timelog: z
    .array(
      z
        .strictObject({
          status: z.enum(timelogStatuses).describe('What the call became'),
          timestamp: instant().describe('When'),
        })
        .meta({ id: 'TimelogEntry' }),
    )
    .meta({
      id: 'Timelog',
      description: 'Each status the call had, from initiated on; transfers as well, which leave the status as it is',
    }),
};

const example = {
  id: 'call_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e52',
  type: 'outbound' as const,
  status: 'initiated' as const,
  from: '+912250000001',
  to: '+919876543210',
  roomId: 'call_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e52_1_1',
  gatewayId: 'gwo_01990c5a-11f3-7a60-8d0b-55f2c4a7b9e1',
  ruleId: 'rule_01990c5b-9a4e-7f12-b3c8-0e6d7a2f4c93',
  region: 'default',
  metadata: { customer: 'C-1042' },
  timelog: [{ status: 'initiated' as const, timestamp: '2026-03-02T09:30:00.000Z' }],
};

/** What POST answers. */
export const Call = z
  .strictObject(callFields)
  .meta({ id: 'Call', description: 'A call as it was stored', examples: [example] });

/** A call, with a message that says what was done. */
export const CallAnswer = z
  .strictObject({
    message: z.string().meta({ description: 'What was done, as a sentence', examples: ['The call is being placed.'] }),
    data: Call,
  })
  .meta({ id: 'CallAnswer', examples: [{ message: 'The call is being placed.', data: example }] });

/** Who picked up. */
export const answeredBy = z.enum(['human', 'machine', 'unknown']);

/** What lists have of a call beside what POST answers. */
const listedFields = {
  ...callFields,
  duration: z.number().optional().describe('Seconds from the answer to the end'),
  sipStatusCode: z.int().optional().describe('Of the latest attempt'),
  reason: endReason().optional().describe('Why the latest attempt ended'),
  preDialReason: z.string().optional().describe('Of `pre_dial_refused`: what the endpoint said'),
  answeredBy: answeredBy.optional().describe('Who picked up'),
  simulated: z.boolean().describe('No telephone network was reached'),
  agentId: z.string().optional().describe('The agent that speaks'),
  batchId: z.string().optional().describe('Its batch call'),
  batchName: z.string().optional().describe('Name of the batch call'),
  callbackOf: callbackOf(),
  calledBackBy: calledBackBy(),
  variant: z.string().optional().describe('versionId or agentId of it'),
  cost: Cost.optional().describe('Of attempts that are over, if one was priced'),
};

/** What the list answers of each. */
export const ListedCall = z
  .strictObject(listedFields)
  .meta({ id: 'ListedCall', examples: [{ ...example, simulated: false }] });

/** What GET answers. */
export const CallDetail = z
  .strictObject({
    ...listedFields,
    recordingUrl: z
      .string()
      .optional()
      .describe('Where to get the recording, with the token, once the call is over; omitted if there is none'),
    attempts: z
      .array(
        z
          .strictObject({
            number: z.int().describe('1 for the first'),
            status,
            sipStatusCode: z.int().optional().describe('What the carrier answered'),
            from: z.string().optional().describe('Number that it was made from, of a batch call with several'),
            startedAt: instant().describe('When it was dialed'),
            endedAt: instant().optional().describe('When it was over'),
            cost: z.number().optional().describe('Of one that was answered, if a price fitted'),
          })
          .meta({ id: 'CallAttempt' }),
      )
      .describe('What was dialed, in order'),
    transfers: z
      .array(
        z
          .strictObject({
            mode: z.enum(transferModes).describe('As it was asked for'),
            to: z.string().describe('As it was asked for'),
            status: z.enum(['under-way', 'transferred', 'failed']).describe('How it went'),
            sipStatusCode: z.int().optional().describe('What the carrier said of the target'),
            message: z.string().optional().describe('How it went, in words'),
            requestedAt: instant(),
            answeredAt: instant().optional().describe('`warm`: the target picked up'),
            endedAt: instant().optional(),
            cost: z.number().optional().describe('Of its leg, once hung up; part of the cost of the attempt'),
          })
          .meta({ id: 'CallTransfer' }),
      )
      .optional()
      .describe('Transfers that were asked for, in order'),
    versionId: z.string().optional().describe('Version of the agent at the latest attempt'),
    summary: z.string().optional().describe('Of an answered call, if the agent summarizes'),
    summaryError: z
      .string()
      .optional()
      .describe(`Why there is no summary although the agent summarizes: ${summaryErrors.join(', ')}`),
    ...analysisFields,
    transcript: z
      .array(z.unknown())
      .optional()
      .describe('What was said, in order: {speaker: agent or callee, text, at}'),
    ...callTraceFields,
  })
  .meta({
    id: 'CallDetail',
    description: 'The call as it is now',
    examples: [
      {
        ...example,
        status: 'ended',
        timelog: [
          ...example.timelog,
          { status: 'ringing', timestamp: '2026-03-02T09:30:01.420Z' },
          { status: 'answered', timestamp: '2026-03-02T09:30:06.050Z' },
          { status: 'ended', timestamp: '2026-03-02T09:30:48.550Z' },
        ],
        duration: 42.5,
        sipStatusCode: 200,
        reason: 'callee_hung_up',
        answeredBy: 'human',
        simulated: false,
        attempts: [
          {
            number: 1,
            status: 'ended',
            sipStatusCode: 200,
            startedAt: '2026-03-02T09:30:00.310Z',
            endedAt: '2026-03-02T09:30:48.550Z',
          },
        ],
        agentId: 'agt_01990c57-2c1d-7b8e-a4f6-9d3e0b5c7a18',
        versionId: 'ver_01990c57-2c1e-7d04-8b21-6f4a1e9c3d70',
        summary: 'The customer confirmed the appointment on Monday at ten.',
        analysis: { appointment_kept: true, reason: 'Monday at ten suits.' },
        success: true,
        transcript: [{ speaker: 'agent', text: 'Good morning!', at: '2026-03-02T09:30:06.900Z' }],
        ...callTraceExample,
      },
    ],
  });
