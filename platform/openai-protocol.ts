import type OpenAI from 'openai';
import { z } from 'zod';
import { limitedFetch } from './limited-fetch.js';
import { silence } from './silence.js';

/** A model that is asked. */
interface Asked {
  /** Base URL that speaks the OpenAI protocol. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The provider's own name of the model. */
  readonly model: string;
  readonly timeoutMs: number;
}

export interface ChatQuestion extends Asked {
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
}

/** No answer, and asking again may help (`transient`) or not. The message is our own: a provider's may quote its key. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(
    readonly transient: boolean,
    /** HTTP status, or null if none came. */
    readonly statusCode: number | null,
    message: string,
    /** No connection came about, which is not the same as an answer that is late. */
    readonly unreachable = false,
  ) {
    super(message);
  }
}

/** Tokens as the provider has counted them; 0 if it does not say. */
export interface ChatTokens {
  readonly inputTokens: number;
  /** Of these, those it had in its cache. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** More than any answer or word of speech has. */
const mostAnswerBytes = 8 * 1024 * 1024;

interface ChatAnswer {
  /** Trimmed; empty if the model said nothing. */
  readonly text: string;
  readonly tokens: ChatTokens;
}

// What is read of an answer; a server that only resembles the protocol may send anything.
const count = z.int().min(0).catch(0);
const Usage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
});
const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })),
  usage: Usage.nullish().catch(null),
});

const transientStatuses = new Set([408, 409, 425, 429]);

/** An answer of a model's server that is no success, by its HTTP status. */
export const refusedWith = (statusCode: number): NoAnswer =>
  new NoAnswer(
    statusCode >= 500 || transientStatuses.has(statusCode),
    statusCode,
    `the model's server answered ${statusCode}`,
  );

/** Few processes ever ask a model, and each would keep the client's modules in memory: they are loaded by the first question. */
const loadClient = () => import('openai');
type Client = Awaited<ReturnType<typeof loadClient>>;

/** A failure of the request, with a message that this service words. */
function noAnswer(error: unknown, { APIConnectionError, APIConnectionTimeoutError, APIError }: Client): NoAnswer {
  if (error instanceof NoAnswer) return error;
  if (error instanceof APIConnectionError) {
    const unreachable = !(error instanceof APIConnectionTimeoutError);
    return new NoAnswer(true, null, 'the model could not be reached', unreachable);
  }
  if (error instanceof APIError && typeof error.status === 'number') {
    return refusedWith(error.status);
  }
  // What came back was not of the protocol.
  return new NoAnswer(true, null, "the model's answer could not be read");
}

/** The client's own limit ends with the head of the answer. */
const clientFor = ({ baseUrl: baseURL, apiKey, timeoutMs }: Asked, client: Client): OpenAI =>
  new client.default({
    ...{ baseURL, apiKey, timeout: timeoutMs, maxRetries: 0, logLevel: 'off' },
    fetch: limitedFetch(timeoutMs, mostAnswerBytes),
  });

/**
 * Asks a language model once; who calls repeats.
 *
 * @throws NoAnswer
 */
export async function completeChat(question: ChatQuestion): Promise<ChatAnswer> {
  const { model, messages } = question;
  const client = await loadClient();
  try {
    const completion = await clientFor(question, client).chat.completions.create({ model, messages: [...messages] });
    const { choices, usage } = Completion.parse(completion);
    const tokens = {
      inputTokens: usage?.prompt_tokens ?? 0,
      cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
      outputTokens: usage?.completion_tokens ?? 0,
    };
    return { text: choices[0]?.message.content?.trim() ?? '', tokens };
  } catch (error) {
    throw noAnswer(error, client);
  }
}

/** As the voice agent asks for it, so that what is refused here would be refused there. */
const speechFormat = 'pcm';

/**
 * Has a text-to-speech model speak a text, and throws the sound away.
 *
 * @throws NoAnswer
 */
export async function trySpeech(asked: Asked & { readonly voice: string; readonly text: string }): Promise<void> {
  const { model, voice, text: input } = asked;
  const client = await loadClient();
  try {
    const speech = await clientFor(asked, client).audio.speech.create({
      ...{ model, voice, input },
      response_format: speechFormat,
    });
    await speech.body?.cancel();
  } catch (error) {
    throw noAnswer(error, client);
  }
}

/**
 * Has a speech-to-text model hear half a second of silence.
 *
 * @throws NoAnswer
 */
export async function tryHearing(asked: Asked): Promise<void> {
  const client = await loadClient();
  try {
    const file = await client.toFile(silence(), 'silence.wav', { type: 'audio/wav' });
    await clientFor(asked, client).audio.transcriptions.create({ model: asked.model, file, response_format: 'json' });
  } catch (error) {
    throw noAnswer(error, client);
  }
}
