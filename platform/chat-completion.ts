import OpenAI, { APIConnectionError, APIError } from 'openai';
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

/** No answer, and asking again may help (`transient`) or not. The words are ours: a provider's may quote its key. */
export class NoCompletion extends Error {
  override readonly name = 'NoCompletion';
  constructor(
    readonly transient: boolean,
    /** HTTP status, or null where none came. */
    readonly statusCode: number | null,
    message: string,
  ) {
    super(message);
  }
}

/** What is read of an answer; a server that only resembles the protocol may send anything. */
const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })) });

const transientStatuses = new Set([408, 409, 425, 429]);

/**
 * Asks a language model once; who calls repeats.
 *
 * @returns the text, trimmed; empty where the model said nothing
 * @throws NoCompletion
 */
export async function completeChat(question: ChatQuestion): Promise<string> {
  const { baseUrl: baseURL, apiKey, model, messages, timeoutMs } = question;
  const client = new OpenAI({ baseURL, apiKey, timeout: timeoutMs, maxRetries: 0, logLevel: 'off' });
  try {
    const completion = await client.chat.completions.create({ model, messages: [...messages] });
    const [choice] = Completion.parse(completion).choices;
    return choice?.message.content?.trim() ?? '';
  } catch (error) {
    if (error instanceof APIConnectionError) throw new NoCompletion(true, null, 'the model could not be reached');
    if (error instanceof APIError && typeof error.status === 'number') {
      const transient = error.status >= 500 || transientStatuses.has(error.status);
      throw new NoCompletion(transient, error.status, `the model's server answered ${error.status}`);
    }
    // What came back was not of the protocol.
    throw new NoCompletion(true, null, "the model's answer could not be read");
  }
}
