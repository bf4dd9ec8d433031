import { Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { addressesInHosts, namesToAsk, rereadFile, searchRules } from './name-files.js';
import { within } from './within.js';

/**
 * Finds the addresses of a host, those of IPv4 first.
 *
 * @throws Error with the code `ENOTFOUND` if there is no such name, or it has no addresses; `EAI_AGAIN` if DNS does not say
 */
export type FindAddresses = (host: string) => Promise<readonly LookupAddress[]>;

export interface FindAddressesOptions {
  /** Omitted: those of /etc/resolv.conf. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  readonly resolvConf?: string;
  /** How long a server may take to answer a question before it is asked again. */
  readonly askAgainMs?: number;
  /** For all of it. */
  readonly withinMs?: number;
}

const tries = 2;

const failure = (code: 'ENOTFOUND' | 'EAI_AGAIN', host: string): Error =>
  Object.assign(new Error(`${code} ${host}`), { code, hostname: host });

const addressesFrom = (texts: readonly string[]): LookupAddress[] =>
  texts.map((address) => ({ address, family: isIP(address) })).sort((a, b) => a.family - b.family);

/** What DNS answers of names that do not exist, that have no address of this kind, or that cannot exist. */
const noSuch = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EBADQUERY']);
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * For names that clients choose. `dns.lookup` keeps one of the two threads that the process has for names until the name's servers have
 * answered: two names of one client whose servers are silent would hold up every other lookup, also of the database. Here a question
 * holds nothing but itself.
 *
 * The hosts file counts, and the search domains of /etc/resolv.conf. Other sources that the C library may know do not, such as mDNS.
 */
export function createFindAddresses(options: FindAddressesOptions = {}): FindAddresses {
  const { servers, askAgainMs = 2_000, withinMs = 8_000 } = options;
  const hosts = rereadFile(options.hostsFile ?? '/etc/hosts');
  const settings = rereadFile(options.resolvConf ?? '/etc/resolv.conf');
  let resolver: { readonly of: string; readonly asks: Resolver } | undefined;

  /** A new one if the settings have changed, which it reads only once. */
  function resolverOf(resolvConf: string): Resolver {
    if (resolver?.of !== resolvConf) {
      resolver = { of: resolvConf, asks: new Resolver({ timeout: askAgainMs, tries }) };
      if (servers !== undefined) resolver.asks.setServers([...servers]);
    }
    return resolver.asks;
  }

  /** @returns none if there is no such name */
  async function ask(resolvConf: string, name: string): Promise<readonly LookupAddress[] | 'unanswered'> {
    const asks = resolverOf(resolvConf);
    const answers = await Promise.allSettled([asks.resolve4(name), asks.resolve6(name)]);
    const found = addressesFrom(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])));
    if (found.length > 0) return found;
    const isNo = (answer: PromiseSettledResult<unknown>): boolean =>
      answer.status === 'fulfilled' || noSuch.has(String(codeOf(answer.reason)));
    return answers.every(isNo) ? [] : 'unanswered';
  }

  async function find(host: string): Promise<readonly LookupAddress[]> {
    if (isIP(host) !== 0) return addressesFrom([host]);
    const name = host.toLowerCase().replace(/\.$/, '');
    const known = addressesInHosts(await hosts(), name);
    if (known.length > 0) return addressesFrom(known);
    if (/(^|\.)localhost$/.test(name)) return addressesFrom(['127.0.0.1', '::1']);
    const resolvConf = await settings();
    let unanswered = false;
    for (const each of namesToAsk(host.toLowerCase(), searchRules(resolvConf))) {
      const found = await ask(resolvConf, each);
      if (found === 'unanswered') unanswered = true;
      else if (found.length > 0) return found;
    }
    throw failure(unanswered ? 'EAI_AGAIN' : 'ENOTFOUND', host);
  }

  return (host) =>
    within(withinMs, find(host)).catch((error: unknown) => {
      throw codeOf(error) === undefined ? failure('EAI_AGAIN', host) : error;
    });
}
