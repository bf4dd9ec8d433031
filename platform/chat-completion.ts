import type OpenAI from 'openai';
import { z } from 'zod';

export interface ChatQuestion {
  /** Base URL that speaks the OpenAI protocol. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The provider's own name of the model. */
  readonly model: string;
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  readonly timeoutMs: number;
}

/** No answer, and asking again may help (`transient`) or not. The message is our own: a provider's may quote its key. */
export class NoCompletion extends Error {
  override readonly name = 'NoCompletion';
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
interface ChatTokens {
  readonly inputTokens: number;
  /** Of these, those it had in its cache. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

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

/** Few processes ever ask a model, and each would keep the client's modules in memory: they are loaded by the first question. */
const loadClient = () => import('openai');
type Client = Awaited<ReturnType<typeof loadClient>>;

/** A failure of the request, with a message that this service words. */
function noCompletion(
  error: unknown,
  { APIConnectionError, APIConnectionTimeoutError, APIError }: Client,
): NoCompletion {
  if (error instanceof NoCompletion) return error;
  if (error instanceof APIConnectionError) {
    const unreachable = !(error instanceof APIConnectionTimeoutError);
    return new NoCompletion(true, null, 'the model could not be reached', unreachable);
  }
  if (error instanceof APIError && typeof error.status === 'number') {
    const transient = error.status >= 500 || transientStatuses.has(error.status);
    return new NoCompletion(transient, error.status, `the model's server answered ${error.status}`);
  }
  // What came back was not of the protocol.
  return new NoCompletion(true, null, "the model's answer could not be read");
}

const clientFor = ({ baseUrl: baseURL, apiKey, timeoutMs }: ChatQuestion, client: Client): OpenAI =>
  new client.default({ baseURL, apiKey, timeout: timeoutMs, maxRetries: 0, logLevel: 'off' });

/**
 * Asks a language model once; who calls repeats.
 *
 * @throws NoCompletion
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
    throw noCompletion(error, client);
  }
}
