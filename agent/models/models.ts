import { llm, type stt, tts, type VAD } from '@livekit/agents';
import * as cartesia from '@livekit/agents-plugin-cartesia';
import * as deepgram from '@livekit/agents-plugin-deepgram';
import * as elevenlabs from '@livekit/agents-plugin-elevenlabs';
import * as google from '@livekit/agents-plugin-google';
import * as inworld from '@livekit/agents-plugin-inworld';
import * as openai from '@livekit/agents-plugin-openai';
import * as rime from '@livekit/agents-plugin-rime';
import * as sarvam from '@livekit/agents-plugin-sarvam';
import * as xai from '@livekit/agents-plugin-xai';
import { customProvider, llmBaseUrls } from '../../domain/agent/model-endpoints.js';
import { slugOf } from '../../domain/session-plan/models.js';
import type { ModelChoice } from '../../domain/session-plan/types.js';
import { firstToUnderstand, patienceMs, promptLlm, promptTts } from './promptness.js';
import { OpenAiRealtime } from './realtime.js';

/** Keys and addresses to open the models of a call with. */
export interface ModelAccess {
  /** The caller's own key of a choice, else the service's. @throws if there is neither */
  keyOf(choice: ModelChoice): string;
  /** Base URLs of servers that speak the OpenAI protocol, by provider; undefined: the provider's own. */
  baseUrlOf(provider: string, kind: 'stt' | 'llm' | 'tts' | 'realtime'): string | undefined;
  /** Called with every model that is built and its slug: counts what the model uses. */
  watch?(model: stt.STT | llm.LLM | tts.TTS, slug: string): void;
}

type Builder<Model> = (choice: ModelChoice, access: ModelAccess, ms: number) => Model;
type Table<Model> = Readonly<Record<string, Builder<Model>>>;

/** How often a voice that failed is tried with a separate sentence, which costs. */
const recoveryDelayMs = 30_000;

const orNothing = <Value>(value: Value | null | undefined, key: string): Record<string, Value> =>
  value === null || value === undefined ? {} : { [key]: value };

/** Sarvam takes regional codes alone, and has its own for Odia. */
const indianCode = (language: string): string =>
  language.includes('-') ? language : `${language === 'or' ? 'od' : language}-IN`;

const openaiStt: Builder<stt.STT> = (choice, access) =>
  new openai.STT({
    model: choice.model,
    apiKey: access.keyOf(choice),
    // The protocol takes plain codes.
    language: choice.language.split('-')[0] ?? choice.language,
    useRealtime: false,
    ...orNothing(access.baseUrlOf(choice.provider, 'stt'), 'baseURL'),
  });

function sarvamStt(choice: ModelChoice, apiKey: string): stt.STT {
  const languageCode = indianCode(choice.language);
  switch (choice.model) {
    case 'saarika:v2.5':
      return new sarvam.STT({ model: 'saarika:v2.5', apiKey, languageCode });
    case 'saaras:v2.5':
      return new sarvam.STT({ model: 'saaras:v2.5', apiKey });
    default:
      return new sarvam.STT({ model: 'saaras:v3', apiKey, languageCode });
  }
}

/** Speech-to-text, by provider of the catalogue. */
export const sttBuilders: Table<stt.STT> = {
  cartesia: (choice, access) =>
    new cartesia.STT({ model: choice.model, apiKey: access.keyOf(choice), language: choice.language }),
  [customProvider]: openaiStt,
  deepgram: (choice, access) => {
    const { model, language } = choice;
    const apiKey = access.keyOf(choice);
    if (model === 'flux-general-multi') return new deepgram.STTv2({ model, apiKey, languageHint: [language] });
    if (model.startsWith('flux-')) return new deepgram.STTv2({ model: 'flux-general-en', apiKey });
    return new deepgram.STT({ model, apiKey, language });
  },
  elevenlabs: (choice, access) =>
    new elevenlabs.STT({ model: choice.model, apiKey: access.keyOf(choice), languageCode: choice.language }),
  groq: openaiStt,
  openai: openaiStt,
  sarvam: (choice, access) => sarvamStt(choice, access.keyOf(choice)),
  xai: (choice, access) => new xai.STT({ apiKey: access.keyOf(choice), language: choice.language }),
};

/** Every provider speaks the OpenAI protocol, at the address that summaries use too. */
const chat: Builder<llm.LLM> = (choice, access) =>
  new openai.LLM({
    model: choice.model,
    apiKey: access.keyOf(choice),
    ...orNothing(access.baseUrlOf(choice.provider, 'llm'), 'baseURL'),
  });

/** Language models, by provider of the catalogue. */
export const llmBuilders: Table<llm.LLM> = Object.fromEntries(
  [...Object.keys(llmBaseUrls), customProvider].map((provider) => [provider, chat]),
);

const openaiTts: Builder<tts.TTS> = (choice, access) =>
  new openai.TTS({
    model: choice.model,
    apiKey: access.keyOf(choice),
    ...orNothing(choice.voice, 'voice'),
    ...orNothing(access.baseUrlOf(choice.provider, 'tts'), 'baseURL'),
  });

function sarvamTts(choice: ModelChoice, apiKey: string): tts.TTS {
  const speech = { apiKey, targetLanguageCode: indianCode(choice.language), ...orNothing(choice.voice, 'speaker') };
  return choice.model === 'bulbul:v3'
    ? new sarvam.TTS({ model: 'bulbul:v3', ...speech })
    : new sarvam.TTS({ model: 'bulbul:v2', ...speech });
}

const rimeLanguages: Readonly<Record<string, string>> = { de: 'ger', en: 'eng', es: 'spa', fr: 'fra' };

/** ElevenLabs refuses a language to models that tell it by themselves. */
const takesLanguage = (model: string): boolean => /_v2_5$|_v3$/.test(model);

/** Text-to-speech, by provider of the catalogue. */
export const ttsBuilders: Table<tts.TTS> = {
  cartesia: (choice, access) =>
    new cartesia.TTS({
      model: choice.model,
      apiKey: access.keyOf(choice),
      language: choice.language.split('-')[0] ?? choice.language,
      ...orNothing(choice.voice, 'voice'),
    }),
  [customProvider]: openaiTts,
  deepgram: (choice, access) =>
    // Its models carry speaker and language in their names.
    new deepgram.TTS({
      model: `${choice.model}-${choice.voice ?? 'thalia'}-${choice.language.split('-')[0] ?? 'en'}`,
      apiKey: access.keyOf(choice),
    }),
  elevenlabs: (choice, access) =>
    new elevenlabs.TTS({
      model: choice.model,
      apiKey: access.keyOf(choice),
      ...orNothing(choice.voice, 'voiceId'),
      ...(takesLanguage(choice.model) ? { language: choice.language.split('-')[0] ?? choice.language } : {}),
    }),
  google: (choice, access) =>
    new google.beta.TTS({
      model: choice.model,
      apiKey: access.keyOf(choice),
      vertexai: false,
      ...orNothing(choice.voice, 'voiceName'),
    }),
  inworld: (choice, access) =>
    new inworld.TTS({ model: choice.model, apiKey: access.keyOf(choice), ...orNothing(choice.voice, 'voice') }),
  openai: openaiTts,
  rime: (choice, access) =>
    new rime.TTS({
      modelId: choice.model,
      apiKey: access.keyOf(choice),
      lang: rimeLanguages[choice.language.split('-')[0] ?? ''] ?? choice.language,
      ...orNothing(choice.voice, 'speaker'),
    }),
  sarvam: (choice, access) => sarvamTts(choice, access.keyOf(choice)),
  xai: (choice, access) =>
    new xai.TTS({ apiKey: access.keyOf(choice), language: choice.language, ...orNothing(choice.voice, 'voice') }),
};

const openaiRealtime: Builder<llm.RealtimeModel> = (choice, access, ms) =>
  new OpenAiRealtime({
    model: choice.model,
    voice: choice.voice,
    apiKey: access.keyOf(choice),
    baseUrl: access.baseUrlOf(choice.provider, 'realtime'),
    ms,
  });

/** Speech-to-speech, by provider of the catalogue. */
export const realtimeBuilders: Table<llm.RealtimeModel> = {
  [customProvider]: openaiRealtime,
  google: (choice, access) =>
    new google.realtime.RealtimeModel({
      model: choice.model,
      apiKey: access.keyOf(choice),
      language: choice.language,
      ...orNothing(choice.voice, 'voice'),
    }),
  openai: openaiRealtime,
};

function build<Model>(table: Table<Model>, choice: ModelChoice, access: ModelAccess, ms: number): Model {
  const builder = table[choice.provider];
  if (builder === undefined) throw new Error(`no plugin serves ${choice.provider}/${choice.model} here`);
  return builder(choice, access, ms);
}

const all = <Model extends stt.STT | llm.LLM | tts.TTS>(
  table: Table<Model>,
  choices: readonly ModelChoice[],
  access: ModelAccess,
): Model[] => {
  const built = choices.map((choice) => {
    const model = build(table, choice, access, patienceMs(choices.length));
    access.watch?.(model, slugOf(choice));
    return model;
  });
  if (built.length === 0) throw new Error('a slot of the plan names no model');
  return built;
};

export const buildStt = (choices: readonly ModelChoice[], access: ModelAccess, vad: VAD): stt.STT =>
  firstToUnderstand(all(sttBuilders, choices, access), vad);

/** The adapter also wraps a single model, so that a failure of all models is reported alike, however many there are. */
export function buildLlm(choices: readonly ModelChoice[], access: ModelAccess): llm.LLM {
  const ms = patienceMs(choices.length);
  const llms = all(llmBuilders, choices, access).map((model) => promptLlm(model, ms));
  return new llm.FallbackAdapter({ llms, attemptTimeout: ms / 1000, maxRetryPerLLM: 0 });
}

export function buildTts(choices: readonly ModelChoice[], access: ModelAccess): tts.TTS {
  const ms = patienceMs(choices.length);
  const ttsInstances = all(ttsBuilders, choices, access).map((voice) => promptTts(voice, ms));
  const adapter = new tts.FallbackAdapter({ ttsInstances, maxRetryPerTTS: 0, recoveryDelayMs });
  // It passes on what goes wrong with each as if it had gone wrong with all.
  for (const voice of ttsInstances) voice.removeAllListeners('error').on('error', () => undefined);
  return adapter;
}

/** @param models how many the language has */
export const buildRealtime = (choice: ModelChoice, access: ModelAccess, models = 1): llm.RealtimeModel =>
  build(realtimeBuilders, choice, access, patienceMs(models));
