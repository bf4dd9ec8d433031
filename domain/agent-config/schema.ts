import { transferModes } from '../call/warm-transfer.js';
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

export const ModelEntry = z
  .strictObject({
    model: identifier.describe('Slug `<provider>/<model_id>` from GET /v1/models, in any casing.'),
    voice: identifier.optional().describe("The provider's voice id. Text-to-speech entries need one."),
    language: identifier
      .optional()
      .describe("A regional variant of the block's language, such as `en-IN`. If omitted: the plain code."),
    apiKey: z
      .string()
      .max(longest.text)
      .refine((key) => key.trim() !== '', { params: { code: 'INVALID_VALUE' } })
      .optional()
      .describe(
        'Your own key with the provider, in full on every create and update. Responses show bullets and its last ' +
          "four characters. If omitted: the service's own key.",
      ),
  })
  .meta({ id: 'ModelEntry' });
export type ModelEntry = z.infer<typeof ModelEntry>;

const slot = (meaning: string) =>
  z.array(ModelEntry).optional().describe(`${meaning} The first is used; the rest are fallbacks, in order.`);

const Greeting = z
  .strictObject({
    text: written(longest.text).describe('May hold `{{column}}` placeholders.'),
    interruptible: z.boolean().optional().describe('Default true. The same in every language.'),
  })
  .meta({ id: 'Greeting' });

const TurnDetection = z
  .strictObject({
    model: identifier.optional().describe('Slug of a turn-detection model.'),
    mode: z
      .enum(['default', 'adaptive'])
      .optional()
      .describe('adaptive: how long to wait follows how the callee speaks.'),
    threshold: share.optional().describe('How sure the model must be that the callee has finished, 0 to 1.'),
    minWaitSeconds: seconds.optional().describe('Shortest silence after which the agent answers; 0.5 if omitted.'),
    maxWaitSeconds: seconds
      .optional()
      .describe('Longest silence; 1.2 if omitted, 3 if adaptive. At least minWaitSeconds.'),
  })
  .meta({ id: 'TurnDetection' });

const WakeUp = z
  .strictObject({
    enabled: z.boolean().optional().describe('True needs afterSeconds and message.'),
    afterSeconds: seconds.optional().describe('Silence of the callee after which the agent speaks up.'),
    message: text.optional().describe('May hold `{{column}}` placeholders.'),
  })
  .meta({ id: 'WakeUp' });

const EndCall = z
  .strictObject({
    enabled: z.boolean().optional().describe('The same in every language.'),
    when: text.optional().describe('The same in every language.'),
    message: text.optional().describe('May hold `{{column}}` placeholders.'),
  })
  .meta({ id: 'EndCall' });

export const LanguageBlock = z
  .strictObject({
    prompt: written(longest.prompt).describe("The agent's instructions. May hold `{{column}}` placeholders."),
    greeting: Greeting.optional().describe('What the agent says first. If omitted: the callee speaks first.'),
    stt: slot('Speech-to-text models.'),
    llm: slot('Language models.'),
    tts: slot('Text-to-speech models.'),
    realtime: slot('Speech-to-speech models; if there is one, stt, llm and tts are ignored.'),
    turnDetection: TurnDetection.optional().describe('When the agent takes it that the callee has finished.'),
    wakeUp: WakeUp.optional().describe('What the agent does when the callee falls silent.'),
    endCall: EndCall.optional().describe('When the agent hangs up by itself, and with which words.'),
  })
  .meta({ id: 'LanguageBlock' });
export type LanguageBlock = z.infer<typeof LanguageBlock>;

const VoiceProcessing = z
  .strictObject({
    vad: z
      .strictObject({
        sensitivity: z.enum(['low', 'medium', 'high']).describe('How readily a sound counts as speech.'),
        threshold: share.optional().describe('Probability from which it is speech, 0 to 1.'),
        minSpeechDuration: seconds.optional().describe('Seconds of speech before it counts.'),
        minSilenceDuration: seconds.optional().describe('Seconds of silence that end it.'),
      })
      .optional()
      .describe('Voice activity detection.'),
    interruption: z
      .strictObject({
        mode: z.enum(['hybrid', 'vad', 'stt']).optional().describe('`vad` needs the vad block.'),
        minDuration: seconds.optional().describe('Seconds of speech that interrupt the agent.'),
        minWords: z.int().min(0).optional().describe('Words that interrupt the agent.'),
      })
      .optional()
      .describe('When the callee’s speech stops the agent.'),
    noiseCancellation: z
      .strictObject({
        model: identifier.optional().describe('Slug of a noise-cancellation model.'),
        provider: identifier.optional().describe('A provider of noise cancellation, which picks the model.'),
      })
      .optional()
      .describe('Either a model or a provider.'),
  })
  .meta({ id: 'VoiceProcessing' });

const CallSummary = z
  .strictObject({
    enabled: z.boolean().optional().describe('Whether a summary is made of each answered call.'),
    llm: ModelEntry.optional().describe('Language model that writes it. If omitted: the default of the service.'),
    instruction: text.optional().describe('What the summary is to say.'),
    webhook: z
      .strictObject({
        url: z.string().max(longest.url).meta({ format: 'uri' }).describe('An https URL outside of private networks.'),
      })
      .optional()
      .describe('Receives the summary of each call, signed.'),
  })
  .meta({ id: 'CallSummarySettings' });

const AnalysisProperty = z
  .strictObject({
    type: z.enum(['string', 'number', 'integer', 'boolean']).describe('Type of the value.'),
    description: z.string().max(500).optional().describe('What is meant, for the model.'),
    enum: z.array(written(100)).min(1).max(50).optional().describe('The texts that a string can be.'),
    format: z.enum(['date']).optional().describe('Of a string: a day, YYYY-MM-DD.'),
  })
  .meta({ id: 'AnalysisProperty' });

const Analysis = z
  .strictObject({
    enabled: z.boolean().optional().describe('Whether answered calls are analyzed.'),
    instruction: text.optional().describe('What the model has to know beside the descriptions.'),
    model: ModelEntry.optional().describe('Language model that answers. If omitted: the default of the service.'),
    schema: z
      .strictObject({
        type: z.enum(['object']).describe('A flat object.'),
        properties: z
          .record(z.string(), AnalysisProperty)
          .describe('1 to 30, by names of letters, digits and `_` that begin with a letter.'),
        required: z.array(identifier).max(30).optional().describe('Properties that must have a value.'),
        additionalProperties: z.boolean().optional().describe('Can only be false.'),
      })
      .describe('JSON Schema of what is to be found out.'),
    success: identifier
      .optional()
      .describe('Name of the boolean property that says whether the call achieved its purpose.'),
  })
  .meta({ id: 'AnalysisSettings' });

const Advanced = z
  .looseObject({
    voicemail: z
      .looseObject({
        action: z
          .enum(['hangup', 'message', 'ignore'])
          .describe('What to do when a mailbox picks up; `ignore` goes on talking to any machine.'),
        message: text.optional().describe('What to leave; `action: message` needs it.'),
      })
      .optional()
      .describe('What happens when a machine answers. On an announcement that takes no message the agent hangs up.'),
    transfer: z
      .looseObject({
        to: identifier.describe('E.164 number, sip: or tel: URI, or a `{{column}}` placeholder.'),
        mode: z
          .enum(transferModes)
          .optional()
          .describe('`warm`: the agent speaks with the target first, which is a number. Default `cold`.'),
      })
      .optional()
      .describe('Whom the agent hands a call over to.'),
    callbacks: z
      .looseObject({
        enabled: z.boolean().describe('Whether callees of batch calls can name a time at which they are called again.'),
        withinDays: z.int().min(1).max(90).optional().describe('How far ahead, in days. Default 14.'),
        most: z.int().min(1).max(10).optional().describe('How often one recipient is promised a call. Default 3.'),
      })
      .optional()
      .describe('Calls at a time that the callee names, outside the retry plan.'),
  })
  .meta({ id: 'AdvancedSettings' })
  .describe('Other keys are stored as they are.');

/** A config that is valid anywhere, for the reference. */
export const exampleConfig = {
  name: 'Appointment reminders',
  defaultLanguage: 'english',
  languages: {
    english: {
      prompt: 'Remind {{first_name}} of the appointment on {{appointment_date}} and ask whether it still suits.',
      greeting: { text: 'Hello {{first_name}}, this is Main Street Clinic.', interruptible: true },
      llm: [{ model: 'openai/gpt-4.1-mini' }],
    },
  },
};

/**
 * The shape of an agent's config (docs/conformance.md, AgentConfig): request body of create and update, and what is
 * stored. It gives the types and the OpenAPI document; `validateAgentConfig` reads it and adds the rules that span
 * fields.
 */
export const AgentConfig = z
  .strictObject({
    name: written(longest.name).describe('Name of the agent.'),
    defaultLanguage: identifier
      .optional()
      .describe('A language of `languages`, in any casing. If omitted: english if present, else the first.'),
    languages: z
      .record(z.string(), LanguageBlock)
      .describe('What varies by language, by the name of the language in any casing. At least one.'),
    voiceProcessing: VoiceProcessing.optional().describe('Shared by every language.'),
    knowledgeBaseIds: z.array(identifier).optional().describe('If omitted in an update: the agent has none.'),
    callSummary: CallSummary.optional().describe('A summary of each answered call, made from its transcript.'),
    analysis: Analysis.optional().describe(
      'What is found out in each answered call, as fields. Not if a machine is known to have answered.',
    ),
    tools: z.array(identifier).optional().describe('Tool ids. If omitted in an update: the agent has none.'),
    advanced: Advanced.optional(),
  })
  .meta({ id: 'AgentConfig', examples: [exampleConfig] });
export type AgentConfig = z.infer<typeof AgentConfig>;
