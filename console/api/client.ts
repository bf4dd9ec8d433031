import createClient from 'openapi-fetch';
import { Refused, refusal } from './refused.js';
import type { paths } from './schema.js';
import { currentToken } from './token.js';

export type { Schemas } from './schemas.js';

/** The HTTP API of the service that served this page. Ask it through `answered`. */
export const client = createClient<paths>();
client.use({
  onRequest({ request }) {
    const token = currentToken();
    // A request that tries another token brings it.
    if (token !== null && !request.headers.has('authorization')) request.headers.set('authorization', token);
    return request;
  },
});

const refusedListeners = new Set<(words: string) => void>();

/** Calls back when the API refuses the token itself, so that the page asks for another one. */
export function onTokenRefused(listener: (words: string) => void): void {
  refusedListeners.add(listener);
}

interface Answer<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The body of a successful answer.
 *
 * @throws Refused with the API's words, or status 0 if there was no answer
 */
export async function answered<Body>(asked: Promise<Answer<Body>>): Promise<Body> {
  let answer: Answer<Body>;
  try {
    answer = await asked;
  } catch {
    throw new Refused(0, 'The service does not answer. This page goes on by itself as soon as it does.');
  }
  const { data, error, response } = answer;
  if (response.ok) return data as Body;
  const refused = refusal(response.status, error);
  if (refused.status === 401) for (const listener of refusedListeners) listener(refused.message);
  throw refused;
}
