import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Of /etc/resolv.conf, what a lookup of a name needs beside the servers, which the resolver reads itself. */
export interface SearchRules {
  readonly domains: readonly string[];
  /** A name with fewer dots is first looked for in the domains. */
  readonly ndots: number;
}

/** Lines without comments, each in words. */
const wordsOf = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.replace(/[#;].*/, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));

/** The addresses that a hosts file gives a name. */
export function addressesInHosts(text: string, name: string): readonly string[] {
  return wordsOf(text).flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && names.some((each) => each.toLowerCase() === name) ? [address] : [],
  );
}

/** As the C library reads them: the last `search` or `domain` counts. */
export function searchRules(resolvConf: string): SearchRules {
  let domains: readonly string[] = [];
  let ndots = 1;
  for (const [keyword, ...values] of wordsOf(resolvConf)) {
    if (keyword === 'search') domains = values;
    if (keyword === 'domain') domains = values.slice(0, 1);
    if (keyword !== 'options') continue;
    for (const value of values) {
      const given = /^ndots:(\d{1,2})$/.exec(value)?.[1];
      if (given !== undefined) ndots = Number(given);
    }
  }
  return { domains: domains.map((domain) => domain.replace(/\.$/, '')).filter((domain) => domain !== ''), ndots };
}

/** The names to ask DNS for, one after the other until one has addresses. A dot at the end allows no other. */
export function namesToAsk(host: string, { domains, ndots }: SearchRules): readonly string[] {
  if (host.endsWith('.')) return [host.slice(0, -1)];
  const searched = domains.map((domain) => `${host}.${domain}`);
  return host.split('.').length - 1 >= ndots ? [host, ...searched] : [...searched, host];
}

const rereadAfterMs = 5_000;

/** Reads a small file now and again. One that is not there is empty. */
export function rereadFile(path: string): () => Promise<string> {
  let read: { readonly atMs: number; readonly text: Promise<string> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (read === undefined || nowMs - read.atMs >= rereadAfterMs) {
      read = { atMs: nowMs, text: readFile(path, 'utf8').catch(() => '') };
    }
    return read.text;
  };
}
