import type { LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { createFindAddresses, type FindAddresses } from './find-addresses.js';
import { mayConnectTo } from './ip-address.js';

export interface OutboundRules {
  /** Also loopback and private networks; never metadata services. */
  readonly allowPrivate: boolean;
  /** Also http:// */
  readonly allowInsecure: boolean;
}

/**
 * A message that says why a client's URL may not be called; null if nothing in its text speaks against it.
 * What a name resolves to is checked when it is connected to: see `createGuardedFetch`.
 */
export function outboundUrlProblem(text: string, rules: OutboundRules): string | null {
  if (!URL.canParse(text)) return 'must be a URL such as https://example.com/hook';
  const url = new URL(text);
  const schemes = rules.allowInsecure ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol))
    return `must begin with ${rules.allowInsecure ? 'https:// or http://' : 'https://'}`;
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  if (!mayConnectTo(url.hostname, rules)) return 'must not point to a private or reserved address';
  return null;
}

/** A connection that was not made, because its address is not allowed. */
export class ForbiddenDestination extends Error {
  override readonly name = 'ForbiddenDestination';
}

/** A name that leads into a network of ours: that it exists at all is nothing to tell. */
class PrivateName extends ForbiddenDestination {}

const nameFailures = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_NODATA',
  'EAI_NONAME',
  'EAI_FAIL',
  'ENODATA',
  'ESERVFAIL',
]);

/** Whether a request failed because of what its host's name leads to. */
export const isNameFailure = (cause: unknown): boolean =>
  cause instanceof PrivateName ||
  (cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && nameFailures.has(cause.code));

/**
 * A message for the client that says why a request to its address failed. A name of the service's own network and a name that does not
 * exist sound the same: the answer must not tell which names there are.
 */
export function outboundFailureWords(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return isNameFailure(cause) ? 'the host leads to no public address' : cause.message;
}

/** Looks a name up and fails if any of its addresses is out of bounds: a name that has both is an attack. */
function guardedLookup(rules: OutboundRules, findAddresses: FindAddresses): LookupFunction {
  return (hostname, options: LookupOptions, callback) => {
    findAddresses(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => mayConnectTo(address, rules))) {
          callback(new PrivateName(`${hostname} leads to a private or reserved address`), []);
        } else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

export interface GuardedFetch {
  /**
   * As `fetch`, but never to a place that the rules forbid: literals are judged here, names when they are connected to, so
   * that a name that resolves differently in between gains nothing. Redirects are answers, not followed.
   *
   * @throws ForbiddenDestination (or a TypeError with it as its cause); TypeError if the connection fails
   */
  (url: string, init?: Omit<RequestInit, 'dispatcher' | 'redirect'>): Promise<Response>;
  close(): Promise<void>;
}

export interface GuardedFetchOptions extends OutboundRules {
  /** Longest wait for a connection; default 10 s. */
  readonly connectTimeoutMs?: number;
  /** Replaces DNS in tests. */
  readonly findAddresses?: FindAddresses;
}

/** A `fetch` for addresses that clients choose: webhooks, tools. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { connectTimeoutMs = 10_000, findAddresses = createFindAddresses() } = options;
  const agent = new Agent({
    connect: { lookup: guardedLookup(options, findAddresses), timeout: connectTimeoutMs },
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    keepAliveTimeout: 1_000,
  });
  const guarded = async (url: string, init: Omit<RequestInit, 'dispatcher' | 'redirect'> = {}): Promise<Response> => {
    const problem = outboundUrlProblem(url, options);
    if (problem !== null) throw new ForbiddenDestination(`The URL ${problem}`);
    return fetch(url, { ...init, redirect: 'manual', dispatcher: agent });
  };
  return Object.assign(guarded, { close: () => agent.close() });
}
