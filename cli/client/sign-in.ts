import type { ClientFlags } from '../commands/service-options.js';
import type { LoginFlags } from '../commands/sign-in.js';
import { signToken } from '../../platform/token.js';
import { clientOf, createClient } from './client.js';
import { serviceUrl } from './connection.js';
import { wrongUsage } from './exit-codes.js';
import { printOne, printRows } from './output.js';
import { textOf } from './printable.js';
import {
  chooseProfile,
  dropProfile,
  keepProfile,
  type Profile,
  profileNamed,
  profilesPath,
  readProfiles,
} from './profiles.js';
import { readSecret } from './secret-input.js';

const loopback = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/;

/** `outdial login`: keeps a profile once the service has accepted the token. */
export async function signIn({ url: given, profile: name, key }: LoginFlags): Promise<void> {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw wrongUsage('--profile: 1 to 64 letters, digits, dots, dashes and underscores.');
  const url = serviceUrl(given, '--url');
  if (url.startsWith('http:') && !loopback.test(url)) {
    console.error(
      `outdial: ${url} is not encrypted: whoever is on the way can read the token. Use https:// if you can.`,
    );
  }
  const profile = await readProfile(url, key);
  const client = createClient({
    url,
    token: async () =>
      'token' in profile ? profile.token : signToken(profile.secret, { keyId: profile.keyId, ttlSeconds: 600 }),
    from: `profile ${name}`,
  });
  const account = await client.ask('account.get');
  keepProfile(name, profile);
  console.log(
    `Signed in to ${url} as ${textOf(account.name)} (${textOf(account.accountId)}). Profile ${name} is kept in ${profilesPath()}.`,
  );
}

async function readProfile(url: string, key: string | undefined): Promise<Profile> {
  if (key === undefined) return { url, token: await readSecret('Token') };
  if (!key.startsWith('key_')) throw wrongUsage('--key: the id of a key, key_…; its secret is asked for.');
  return { url, keyId: key, secret: await readSecret('Secret of the key') };
}

/** `outdial logout` */
export function signOut(given: string | undefined): void {
  const name = given ?? readProfiles().current;
  if (name === null) throw wrongUsage('There is no current profile. Name one with --profile.');
  dropProfile(name);
  console.log(`Profile ${name} is forgotten. Its token goes on working until it expires or is revoked.`);
}

/** `outdial profile use` */
export function useProfile(name: string): void {
  chooseProfile(name);
  console.log(`Commands now ask ${profileNamed(name).url} (profile ${name}).`);
}

/** `outdial profile list` */
export function listProfiles(flags: ClientFlags): void {
  const { current, profiles } = readProfiles();
  const rows = Object.entries(profiles).map(([name, profile]) => ({
    ...{ name, url: profile.url, current: name === current },
    signsWith: 'token' in profile ? 'a token' : profile.keyId,
  }));
  const columns = { Current: (row: object) => ('current' in row && row.current === true ? '*' : '') };
  printRows(rows, { id: 'name', columns: { ...columns, Name: 'name', Url: 'url', 'Signs with': 'signsWith' } }, flags);
}

/** `outdial whoami` */
export async function printAccount(flags: ClientFlags): Promise<void> {
  const client = await clientOf(flags);
  const { url, from } = client.connection;
  const row = { ...(await client.ask('account.get')), url, from };
  const columns = { Account: 'name', Id: 'accountId', Service: 'url', 'Found by': 'from' };
  printOne(row, { id: 'accountId', columns }, flags);
}
