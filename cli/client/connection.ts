import { resolve } from 'node:path';
import { holderOf } from '../../embedded/data-lock.js';
import { signToken } from '../../platform/token.js';
import { findPlace } from '../commands/place.js';
import { CommandFailed, exitCodes, wrongUsage } from './exit-codes.js';
import { type Profile, profileNamed, readProfiles } from './profiles.js';

/** The service that a command asks. */
export interface Connection {
  /** Without a slash at its end. */
  readonly url: string;
  /** A token that works now: one that is signed here lives for minutes. */
  readonly token: () => Promise<string>;
  /** How it was found, in words. */
  readonly from: string;
}

/** How a command names the service. */
export interface ServiceFlags {
  readonly profile?: string;
  readonly data?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Commands take seconds; a longer one signs again. */
const signedSeconds = 600;

const isSet = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/**
 * Finds the service: `--profile`, else `--data`, else OUTDIAL_URL with OUTDIAL_TOKEN, else OUTDIAL_PROFILE, else the `up` of this
 * folder, else the current profile, else the one `up` that runs elsewhere on this machine.
 *
 * @throws CommandFailed with what to do if there is none
 */
export async function findConnection({ profile, data }: ServiceFlags, env: Env = process.env): Promise<Connection> {
  if (profile !== undefined && data !== undefined)
    throw wrongUsage('Name a service by --profile or by --data, not both.');
  if (profile !== undefined) return ofProfile(profile, profileNamed(profile));
  if (data !== undefined) return ofUp(data, env);
  const { OUTDIAL_URL: url, OUTDIAL_TOKEN: token, OUTDIAL_PROFILE: named } = env;
  if (isSet(url) !== isSet(token))
    throw wrongUsage('OUTDIAL_URL and OUTDIAL_TOKEN belong together: set both or neither.');
  if (isSet(url) && isSet(token)) {
    return { url: serviceUrl(url.trim(), 'OUTDIAL_URL'), token: async () => token.trim(), from: 'OUTDIAL_URL' };
  }
  if (isSet(named)) return ofProfile(named, profileNamed(named));
  if (isSet(env.OUTDIAL_DATA) || holderOf(resolve('.outdial')) !== undefined) return ofUp(undefined, env);
  const { current } = readProfiles();
  return current === null ? ofUp(undefined, env) : ofProfile(current, profileNamed(current));
}

const ofProfile = (name: string, profile: Profile): Connection => ({
  url: profile.url,
  token: async () =>
    'token' in profile ? profile.token : signToken(profile.secret, { keyId: profile.keyId, ttlSeconds: signedSeconds }),
  from: `profile ${name}`,
});

async function ofUp(data: string | undefined, env: Env): Promise<Connection> {
  const say = (line: string): void => console.error(`outdial: ${line}`);
  // A database that is configured elsewhere has no `up`.
  const place = await findPlace(data, { ...env, OUTDIAL_DATABASE_URL: undefined }, say).catch((error: unknown) => {
    throw error instanceof Error ? wrongUsage(error.message) : error;
  });
  if (place.kind === 'running') {
    const { folder, ready } = place;
    return { url: ready.apiUrl, token: async () => ready.token, from: `\`outdial up\` on ${folder}` };
  }
  throw new CommandFailed(
    exitCodes.notAllowed,
    'There is no service to ask: no `outdial up` runs on this machine and nobody is signed in. Start `outdial up`, or sign in ' +
      'with `outdial login --url URL`, or set OUTDIAL_URL and OUTDIAL_TOKEN.',
  );
}

/**
 * The address of a service as requests are made with it.
 *
 * @param name what the text was given as
 * @throws CommandFailed if it is no address, or holds a password
 */
export function serviceUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw wrongUsage(`${name}: must be the address of the service, such as https://calls.example.com.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw wrongUsage(`${name}: must be the address alone, without user, password, ? and #.`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
