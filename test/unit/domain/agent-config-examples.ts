import type { AgentConfigContext } from '../../../domain/agent-config/shared-settings.js';

/** A context in which one knowledge base and one tool exist and only example.com may be reached. */
export const context: AgentConfigContext = {
  knownKnowledgeBases: new Set(['kb_known']),
  knownTools: new Set(['tool_known']),
  refuseUrl: (url) => (/^https:\/\/[a-z.]*example\.com\//.test(url) ? null : 'is not a URL of example.com'),
};

export const minimal = { name: 'Reminder', languages: { english: { prompt: 'Remind the callee.' } } };

/** Every field that a config can have, with valid values. */
export const complete = {
  name: 'Reminder',
  defaultLanguage: 'Hindi',
  languages: {
    English: {
      prompt: 'You call {{name}} about {{appointment}}.',
      greeting: { text: 'Hello {{name}}', interruptible: false },
      stt: [{ model: 'Deepgram/Nova-3', language: 'en-IN' }, { model: 'openai/gpt-4o-transcribe' }],
      llm: [{ model: 'openai/gpt-4.1-mini', apiKey: 'sk-live-12345678' }],
      tts: [
        { model: 'cartesia/sonic-2', voice: '9626c31c-bec5-4cca-baa8-f8ba9e84c8bc', apiKey: 'cart' },
        { model: 'openai/tts-1', voice: 'alloy' },
      ],
      turnDetection: {
        model: 'livekit/turn-detector',
        mode: 'adaptive',
        threshold: 0.4,
        minWaitSeconds: 1,
        maxWaitSeconds: 1,
      },
      wakeUp: { enabled: true, afterSeconds: 8, message: 'Still there?' },
      endCall: { enabled: true, when: 'the callee says goodbye', message: 'Bye {{name}}' },
    },
    hindi: {
      prompt: 'आप {{name}} को याद दिलाते हैं।',
      greeting: { text: 'नमस्ते', interruptible: false },
      realtime: [{ model: 'openai/gpt-realtime', voice: 'marin' }],
      wakeUp: { enabled: false },
      endCall: { enabled: true, when: 'the callee says goodbye' },
    },
  },
  voiceProcessing: {
    vad: { sensitivity: 'high', threshold: 1, minSpeechDuration: 0, minSilenceDuration: 0.3 },
    interruption: { mode: 'vad', minDuration: 0.5, minWords: 0 },
    noiseCancellation: { model: 'RNNoise/RNNoise' },
  },
  knowledgeBaseIds: ['kb_known'],
  callSummary: {
    enabled: true,
    llm: { model: 'OpenAI/gpt-4.1', apiKey: 'sk-summary-9999' },
    instruction: 'In one sentence.',
    webhook: { url: 'https://hooks.example.com/summary' },
  },
  analysis: {
    enabled: true,
    instruction: 'A maybe is a no.',
    model: { model: 'OpenAI/gpt-4.1', apiKey: 'sk-analysis-8888' },
    schema: {
      type: 'object',
      properties: {
        kept: { type: 'boolean', description: 'Whether the appointment stands.' },
        mood: { type: 'string', enum: ['glad', 'angry'] },
        day: { type: 'string', format: 'date' },
        questions: { type: 'integer' },
      },
      required: ['kept'],
      additionalProperties: false,
    },
    success: 'kept',
  },
  tools: ['tool_known'],
  advanced: {
    voicemail: { action: 'message', message: 'Please call back.', beep: null },
    transfer: { to: '+14155550100' },
    anything: { nested: [null, 1, { deep: null }] },
  },
};

/** A config with one thing in it changed: the value at a path of keys, or nothing there if it is undefined. */
export function changed(path: readonly (string | number)[], value: unknown, base: unknown = complete): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(base))
    return base.map((item: unknown, index) => (index === step ? changed(rest, value, item) : item));
  const object = typeof base === 'object' && base !== null ? base : {};
  return { ...object, [step]: changed(rest, value, Reflect.get(object, step)) };
}
