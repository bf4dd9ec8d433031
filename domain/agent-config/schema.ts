import { z } from 'zod';

/** Longest texts in characters (UTF-16 code units, as JavaScript counts). */
export const longest = { name: 256, prompt: 100_000, text: 5_000, identifier: 256, url: 2_048 } as const;

const written = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => text.trim() !== '', { params: { code: 'REQUIRED' } });
const text = z.string().max(longest.text);
const identifier = z.string().max(longest.identifier);
const seconds = z.number().min(0);
const share = z.number().min(0).max(1);

export const ModelEntry = z.strictObject({
  model: identifier.describe('Slug `<provider>/<model_id>` from GET /v1/models, in any casing.'),
  voice: identifier.optional().describe("The provider's voice id. Text-to-speech entries need one."),
  language: identifier
    .optional()
    .describe("A regional variant of the block's language, such as `en-IN`. Left out: the plain code."),
  apiKey: z
    .string()
    .max(longest.text)
    .refine((key) => key.trim() !== '', { params: { code: 'INVALID_VALUE' } })
    .optional()
    .describe(
      'Your own key with the provider, in full on every create and update. Responses show bullets and its last four ' +
        "characters. Left out: the service's own key is used.",
    ),
});
export type ModelEntry = z.infer<typeof ModelEntry>;

const slot = (meaning: string) =>
  z.array(ModelEntry).optional().describe(`${meaning} The first is used; the rest are fallbacks, in order.`);

const Greeting = z.strictObject({
  text: written(longest.text).describe('May hold `{{column}}` placeholders.'),
  interruptible: z.boolean().optional().describe('Default true. The same in every language.'),
});

const TurnDetection = z.strictObject({
  model: identifier.optional().describe('Slug of a turn-detection model.'),
  mode: z.enum(['default', 'adaptive']).optional(),
  threshold: share.optional(),
  minWaitSeconds: seconds.optional(),
  maxWaitSeconds: seconds.optional().describe('At least minWaitSeconds.'),
});

const WakeUp = z.strictObject({
  enabled: z.boolean().optional().describe('True needs afterSeconds and message.'),
  afterSeconds: seconds.optional(),
  message: text.optional().describe('May hold `{{column}}` placeholders.'),
});

const EndCall = z.strictObject({
  enabled: z.boolean().optional().describe('The same in every language.'),
  when: text.optional().describe('The same in every language.'),
  message: text.optional().describe('May hold `{{column}}` placeholders.'),
});

export const LanguageBlock = z.strictObject({
  prompt: written(longest.prompt).describe("The agent's instructions. May hold `{{column}}` placeholders."),
  greeting: Greeting.optional(),
  stt: slot('Speech-to-text models.'),
  llm: slot('Language models.'),
  tts: slot('Text-to-speech models.'),
  realtime: slot('Speech-to-speech models; where there is one, stt, llm and tts are dropped unread.'),
  turnDetection: TurnDetection.optional(),
  wakeUp: WakeUp.optional(),
  endCall: EndCall.optional(),
});
export type LanguageBlock = z.infer<typeof LanguageBlock>;

const VoiceProcessing = z.strictObject({
  vad: z
    .strictObject({
      sensitivity: z.enum(['low', 'medium', 'high']),
      threshold: share.optional(),
      minSpeechDuration: seconds.optional(),
      minSilenceDuration: seconds.optional(),
    })
    .optional(),
  interruption: z
    .strictObject({
      mode: z.enum(['hybrid', 'vad', 'stt']).optional().describe('`vad` needs the vad block.'),
      minDuration: seconds.optional(),
      minWords: z.int().min(0).optional(),
    })
    .optional(),
  noiseCancellation: z
    .strictObject({
      model: identifier.optional().describe('Slug of a noise-cancellation model.'),
      provider: identifier.optional().describe('A provider of noise cancellation, which picks the model.'),
    })
    .optional()
    .describe('Either a model or a provider.'),
});

const CallSummary = z.strictObject({
  enabled: z.boolean().optional(),
  llm: ModelEntry.optional(),
  instruction: text.optional(),
  webhook: z
    .strictObject({ url: z.string().max(longest.url).meta({ format: 'uri' }) })
    .optional()
    .describe('Receives the summary of each call, signed.'),
});

const Advanced = z
  .looseObject({
    voicemail: z
      .looseObject({
        action: z.enum(['hangup', 'message', 'ignore']).describe('What to do when a machine picks up.'),
        message: text.optional().describe('What to leave; `action: message` needs it.'),
      })
      .optional(),
    transfer: z
      .looseObject({ to: identifier.describe('E.164 number, sip: or tel: URI, or a `{{column}}` placeholder.') })
      .optional(),
  })
  .describe('Other keys are stored as they are.');

/**
 * The shape of an agent's config (service.md, AgentConfig): request body of create and update, and what is stored. It gives
 * the types and the OpenAPI document; `validateAgentConfig` reads it and adds the rules that span fields.
 */
export const AgentConfig = z.strictObject({
  name: written(longest.name),
  defaultLanguage: identifier
    .optional()
    .describe('A language of `languages`, in any casing. Left out: english where present, else the first.'),
  languages: z
    .record(z.string(), LanguageBlock)
    .describe('What varies by language, by the name of the language in any casing. At least one.'),
  voiceProcessing: VoiceProcessing.optional(),
  knowledgeBaseIds: z.array(identifier).optional().describe('Left out of an update: the agent has none.'),
  callSummary: CallSummary.optional(),
  tools: z.array(identifier).optional().describe('Tool ids. Left out of an update: the agent has none.'),
  advanced: Advanced.optional(),
});
export type AgentConfig = z.infer<typeof AgentConfig>;
