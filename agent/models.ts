import { llm, stt, tts, type VAD } from '@livekit/agents';
import * as cartesia from '@livekit/agents-plugin-cartesia';
import * as deepgram from '@livekit/agents-plugin-deepgram';
import * as elevenlabs from '@livekit/agents-plugin-elevenlabs';
import * as google from '@livekit/agents-plugin-google';
import * as inworld from '@livekit/agents-plugin-inworld';
import * as openai from '@livekit/agents-plugin-openai';
import * as rime from '@livekit/agents-plugin-rime';
import * as sarvam from '@livekit/agents-plugin-sarvam';
import * as xai from '@livekit/agents-plugin-xai';
import { customProvider, llmBaseUrls } from '../domain/llm-endpoints.js';
import type { ModelChoice } from '../domain/session-plan/types.js';

/** What opens the models of a call. */
export interface ModelAccess {
  /** The caller's own key of a choice, else the service's. @throws where there is neither */
  keyOf(choice: ModelChoice): string;
  /** Base URLs of servers that speak the OpenAI protocol, by provider; undefined: the provider's own. */
  baseUrlOf(provider: string, kind: 'stt' | 'llm' | 'tts'): string | undefined;
}

type Builder<Model> = (choice: ModelChoice, access: ModelAccess) => Model;
type Table<Model> = Readonly<Record<string, Builder<Model>>>;

/** Attempts at a model, before a fallback takes over, are short: somebody is waiting on the line. */
const attemptMs = 3_000;

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
    ...orNothing(access.baseUrlOf(choice.provider, 'llm') ?? llmBaseUrls[choice.provider], 'baseURL'),
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

/** Speech-to-speech, by provider of the catalogue. */
export const realtimeBuilders: Table<llm.RealtimeModel> = {
  google: (choice, access) =>
    new google.realtime.RealtimeModel({
      model: choice.model,
      apiKey: access.keyOf(choice),
      language: choice.language,
      ...orNothing(choice.voice, 'voice'),
    }),
  openai: (choice, access) =>
    new openai.realtime.RealtimeModel({
      model: choice.model,
      apiKey: access.keyOf(choice),
      ...orNothing(choice.voice, 'voice'),
    }),
};

function build<Model>(table: Table<Model>, choice: ModelChoice, access: ModelAccess): Model {
  const builder = table[choice.provider];
  if (builder === undefined) throw new Error(`no plugin serves ${choice.provider}/${choice.model} here`);
  return builder(choice, access);
}

const all = <Model>(table: Table<Model>, choices: readonly ModelChoice[], access: ModelAccess): Model[] => {
  const built = choices.map((choice) => build(table, choice, access));
  if (built.length === 0) throw new Error('a slot of the plan names no model');
  return built;
};

export function buildStt(choices: readonly ModelChoice[], access: ModelAccess, vad: VAD): stt.STT {
  const [first, ...rest] = all(sttBuilders, choices, access);
  if (first === undefined || rest.length > 0) {
    const sttInstances = [...(first === undefined ? [] : [first]), ...rest];
    return new stt.FallbackAdapter({ sttInstances, vad, attemptTimeoutMs: attemptMs, maxRetryPerSTT: 0 });
  }
  return first;
}

export function buildLlm(choices: readonly ModelChoice[], access: ModelAccess): llm.LLM {
  const [first, ...rest] = all(llmBuilders, choices, access);
  if (first === undefined || rest.length > 0) {
    const llms = [...(first === undefined ? [] : [first]), ...rest];
    return new llm.FallbackAdapter({ llms, attemptTimeout: attemptMs / 1000, maxRetryPerLLM: 0 });
  }
  return first;
}

export function buildTts(choices: readonly ModelChoice[], access: ModelAccess): tts.TTS {
  const [first, ...rest] = all(ttsBuilders, choices, access);
  if (first === undefined || rest.length > 0) {
    const ttsInstances = [...(first === undefined ? [] : [first]), ...rest];
    return new tts.FallbackAdapter({ ttsInstances, maxRetryPerTTS: 0 });
  }
  return first;
}

export const buildRealtime = (choice: ModelChoice, access: ModelAccess): llm.RealtimeModel =>
  build(realtimeBuilders, choice, access);
