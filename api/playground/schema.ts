import { z } from 'zod';
import { instant } from '../fields.js';

/** What travels to the agent worker within a room's token, which is part of an address: it must stay short. */
const longestMetadata = 4_000;
const longestText = 4_000;
const mostMessages = 100;

/** In the place of the metadata that a call has. */
export const Metadata = z
  .record(z.string().max(256), z.string().max(1_000))
  .refine((metadata) => JSON.stringify(metadata).length <= longestMetadata, {
    message: `must not be longer than ${longestMetadata} characters of JSON`,
  })
  .describe(
    `Stands in for a call’s metadata: fills the placeholders of the agent, and \`language\` chooses the language. At most ` +
      `${longestMetadata} characters of JSON.`,
  );

export const StartPlaygroundSession = z
  .strictObject({ metadata: Metadata.optional() })
  .meta({ id: 'StartPlaygroundSession', examples: [{ metadata: { first_name: 'Asha', language: 'english' } }] });

/** Why a session has no voice. */
export const textOnlyReasons = ['no_livekit', 'simulated', 'inactive'] as const;

const Voice = z.strictObject({
  url: z.string().describe('WebSocket address of the LiveKit server'),
  room: z.string().describe('The room of this session alone'),
  token: z.string().describe('Lets one browser into that room, and sends the agent there'),
  maxSeconds: z.int().describe('The agent ends the conversation after this time'),
  problem: z
    .string()
    .optional()
    .describe('Why no agent would come at this moment, and what to do about it; omitted if one would'),
});

const Text = z.strictObject({
  model: z.string().describe('Slug of the language model that answers'),
  problem: z.string().optional().describe('Why it cannot answer, and what to do about it; omitted if it can'),
});

export const PlaygroundSession = z
  .strictObject({
    token: z
      .string()
      .describe('Token for the Authorization header that allows what the playground of this agent asks, and no more'),
    expiresAt: instant().describe('When that token expires: after 15 minutes, or with the token that asked'),
    agentId: z.string().describe('Id of the agent, `agt_…`'),
    name: z.string().describe('Name of the agent'),
    status: z.enum(['inactive', 'active']).describe('Whether a version of the agent is live in the default region'),
    versionId: z.string().describe('The version that one talks to: the live one, or the latest of an inactive agent'),
    language: z.string().describe('The language that the conversation begins in'),
    languages: z.array(z.string()).describe('All languages of the agent'),
    fields: z.array(z.string()).describe('Placeholders of the agent that metadata may fill'),
    voice: Voice.optional().describe('How to talk to the agent; omitted if it can only be written to'),
    textOnlyReason: z
      .enum(textOnlyReasons)
      .optional()
      .describe(
        'Why there is no `voice`: no LiveKit is set up, the service runs on the carrier simulator, or the agent is inactive',
      ),
    text: Text.describe('How the agent answers in writing'),
  })
  .meta({
    id: 'PlaygroundSession',
    examples: [
      {
        token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
        expiresAt: '2026-03-02T09:29:05.000Z',
        agentId: 'agt_0198f6f0-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
        name: 'Appointment reminders',
        status: 'active',
        versionId: 'ver_0198f6f0-1a2c-7a90-8d1e-6b7c8d9e0f1a',
        language: 'english',
        languages: ['english', 'hindi'],
        fields: ['first_name', 'appointment_date'],
        voice: {
          url: 'wss://livekit.example.com',
          room: 'playground_0198f6f0-1a2e-7d1c-9b3a-0c1d2e3f4a5b',
          token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
          maxSeconds: 600,
        },
        text: { model: 'openai/gpt-4.1-mini' },
      },
    ],
  });
export type PlaygroundSession = z.infer<typeof PlaygroundSession>;

const Line = z.strictObject({
  speaker: z.enum(['agent', 'callee']).describe('Who wrote it'),
  text: z.string().max(longestText).describe('What was written'),
});

export const AskAgent = z
  .strictObject({
    messages: z
      .array(Line)
      .max(mostMessages)
      .refine((lines) => lines.length === 0 || lines.at(-1)?.speaker === 'callee', {
        message: 'must end with what the callee wrote',
      })
      .describe('The conversation so far, oldest first, ending with the callee. Empty: the agent opens it.'),
    metadata: Metadata.optional(),
  })
  .meta({
    id: 'AskAgent',
    examples: [
      {
        messages: [
          { speaker: 'agent', text: 'Hello Asha, does the appointment on Monday still suit you?' },
          { speaker: 'callee', text: 'Could we make it Tuesday?' },
        ],
        metadata: { first_name: 'Asha', appointment_date: 'Monday' },
      },
    ],
  });

export const AgentAnswer = z
  .strictObject({
    text: z.string().describe('What the agent says; empty if the callee is to begin'),
    disclosure: z
      .string()
      .optional()
      .describe(
        'What the account’s guardrails have said before the greeting; omitted if that is nothing, and later on',
      ),
    language: z.string().describe('The language of the agent’s instructions'),
    model: z.string().optional().describe('Slug of the model that answered; omitted for the greeting'),
    missing: z.array(z.string()).describe('Placeholders that nothing filled: they were left empty'),
  })
  .meta({
    id: 'AgentAnswer',
    examples: [{ text: 'Of course. Tuesday at nine?', language: 'english', model: 'openai/gpt-4.1-mini', missing: [] }],
  });
