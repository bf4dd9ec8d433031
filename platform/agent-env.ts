import { z } from 'zod';
import { flag } from './env-fields.js';

/** Models that agents have if their config names none, and what an agent worker takes on. Part of `Env`. */
export const agentSettings = {
  OUTDIAL_DEFAULT_STT: z.string().default('deepgram/nova-3').describe('Speech-to-text model if a config names none.'),
  OUTDIAL_DEFAULT_LLM: z.string().default('openai/gpt-4.1-mini').describe('Language model if a config names none.'),
  OUTDIAL_CUSTOM_LLM_URL: z
    .url()
    .optional()
    .describe('Base URL of the language and realtime models `custom/…`: a server that speaks the OpenAI protocol.'),
  OUTDIAL_CUSTOM_STT_URL: z
    .url()
    .optional()
    .describe('The same for speech-to-text models `custom/…`; omitted: OUTDIAL_CUSTOM_LLM_URL.'),
  OUTDIAL_CUSTOM_TTS_URL: z
    .url()
    .optional()
    .describe('The same for text-to-speech models `custom/…`; omitted: OUTDIAL_CUSTOM_LLM_URL.'),
  OUTDIAL_AGENT_REGION: z
    .string()
    .optional()
    .describe('Region whose LiveKit this agent worker takes calls of; omitted: the first of OUTDIAL_REGIONS.'),
  OUTDIAL_AGENT_SLOTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'Most calls that one agent worker takes at once, each a process of about 150 MB; omitted: two for each processor.',
    ),
  OUTDIAL_PLAYGROUND_SECONDS: z.coerce
    .number()
    .int()
    .min(10)
    .max(86_400)
    .default(600)
    .describe('Longest conversation by voice in the playground, in seconds; each takes a slot of an agent worker.'),
  OUTDIAL_AGENT_IGNORE_LOAD: flag('An agent worker offers all its slots also while its machine is late.'),
  OUTDIAL_AGENT_WARM: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(2)
    .describe('Processes that an agent worker keeps ready for the next calls; one takes seconds to start.'),
  OUTDIAL_AGENT_DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(900)
    .describe(
      'How long the conversations of an agent worker that was told to stop may go on, in seconds; what starts it must give it 45 more.',
    ),
  OUTDIAL_DEFAULT_TTS: z.string().default('cartesia/sonic-2').describe('Text-to-speech model if a config names none.'),
  OUTDIAL_DEFAULT_TTS_VOICE: z.string().optional().describe('Voice of OUTDIAL_DEFAULT_TTS.'),
  OUTDIAL_SKIP_MODEL_CHECK: flag(
    'A deploy does not ask its models for a word, which finds keys, models and voices that a provider refuses.',
  ),
};
