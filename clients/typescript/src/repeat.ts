import { setTimeout } from 'node:timers/promises';

export interface RepeatOptions {
  /** How often a request is tried again at most. */
  readonly retries: number;
  /** The longest that `Retry-After` is waited for; an answer that asks for more is given back. */
  readonly longestWaitSeconds: number;
  readonly fetch: typeof fetch;
}

/** The body of a request as it was before it became a stream: what can be sent once more. */
export type Body = string | FormData | null;

/** The first wait where the service does not say how long; each further one is twice as long. */
const firstWaitMs = 500;

/** Of a service that is starting or too busy, and of a proxy before one that does not answer. */
export const awayStatuses: readonly number[] = [502, 503, 504];

const keyHeader = 'idempotency-key';

/** Whether doing it twice does no more than doing it once. */
const isHarmless = (request: Request): boolean => request.method === 'GET' || request.headers.has(keyHeader);

function waitMs(response: Response | undefined, tried: number): number {
  const after = response?.headers.get('retry-after') ?? null;
  if (after === null) return firstWaitMs * 2 ** tried * (0.5 + Math.random() / 2);
  const seconds = Number(after);
  return Number.isNaN(seconds) ? Math.max(0, Date.parse(after) - Date.now()) : seconds * 1000;
}

/** 409 also says that the first request with the same key, whose answer was lost, still runs. */
const isStillRunning = async (response: Response): Promise<boolean> =>
  (await response.clone().text()).includes('Idempotency-Key is still running');

async function shouldRepeat(request: Request, response: Response, tried: number): Promise<boolean> {
  // Too many requests: nothing was done.
  if (response.status === 429) return true;
  if (!isHarmless(request)) return false;
  return (
    awayStatuses.includes(response.status) || (response.status === 409 && tried > 0 && (await isStillRunning(response)))
  );
}

/**
 * The request as `fetch` takes it, with a body that nothing has read yet. A form gets another boundary, so its type is not taken
 * over. Without `window: null` and `redirect: 'error'` the `fetch` of Node keeps a copy of all that it sends, for a redirect.
 */
function initOf(request: Request, body: Body | undefined): RequestInit {
  const { method, signal } = request;
  const headers = new Headers(request.headers);
  if (body instanceof FormData) headers.delete('content-type');
  const sent = body === undefined ? { body: request.body, duplex: 'half' } : { body };
  return { method, headers, signal, redirect: 'error', window: null, ...sent };
}

/** The answer once all of it has come, if it is JSON. An export or a recording may be longer than memory: it is given as it comes. */
async function complete(response: Response): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

/**
 * Asks until there is an answer to give back. 429 is tried again; 502 to 504 and lost answers are only if repeating is harmless: of a
 * GET, and of what carries an Idempotency-Key. Redirects are errors: no token goes where it was not meant to.
 *
 * @param body undefined: it is a stream, which is sent once
 */
export async function fetchRepeatedly(
  request: Request,
  body: Body | undefined,
  options: RepeatOptions,
): Promise<Response> {
  const send = () => options.fetch(request.url, initOf(request, body));
  if (body === undefined) return complete(await send());
  for (let tried = 0; ; tried += 1) {
    let response: Response | undefined;
    try {
      response = await complete(await send());
      if (tried === options.retries || !(await shouldRepeat(request, response, tried))) return response;
    } catch (error) {
      if (request.signal.aborted || tried === options.retries || !isHarmless(request)) throw error;
    }
    const wait = waitMs(response, tried);
    if (response !== undefined) {
      if (wait > options.longestWaitSeconds * 1000) return response;
      await response.body?.cancel();
    }
    await setTimeout(wait, undefined, { signal: request.signal });
  }
}
