import { connectionWords } from '../../../domain/connection-words.js';
import { wrongUsage } from '../exit-codes.js';
import { printable } from '../printable.js';
import { fetchWithin } from '../timed-fetch.js';

/** As long as the service itself waits. */
const answersWithinMs = 15_000;
const longestShown = 200;

/** What a receiver did with a webhook. */
export interface Posted {
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  readonly accepted: boolean;
  readonly milliseconds: number;
  /** The beginning of its answer, or what went wrong on the way. */
  readonly words: string;
}

/** Posts a webhook as the service does: redirects are not followed. */
export async function postWebhook(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Posted> {
  const began = performance.now();
  const milliseconds = (): number => Math.round(performance.now() - began);
  try {
    const init: RequestInit = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Outdial-Webhooks/1', ...headers },
      body,
      redirect: 'manual',
    };
    return await fetchWithin(answersWithinMs, url, init, async (answer) => {
      const words = printable((await answer.text()).trim()).slice(0, longestShown);
      return { status: answer.status, accepted: answer.ok, milliseconds: milliseconds(), words };
    });
  } catch (error) {
    return { status: undefined, accepted: false, milliseconds: milliseconds(), words: wordsOf(error) };
  }
}

const wordsOf = (error: unknown): string =>
  connectionWords(error, answersWithinMs) ?? (error instanceof Error ? error.message : 'no answer');

/** The address of a receiver. @throws CommandFailed */
export function receiverUrl(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw wrongUsage(`${option}: must be an address such as http://localhost:3000/webhooks.`);
  }
  return url.href;
}
