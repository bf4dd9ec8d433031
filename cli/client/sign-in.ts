import type { ClientFlags } from '../commands/service-options.js';
import type { LoginFlags } from '../commands/sign-in.js';
import { signToken } from '../../platform/token.js';
import { clientOf, createClient } from './client.js';
import { findConnection, serviceUrl } from './connection.js';
import { CommandFailed, wrongUsage } from './exit-codes.js';
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
  readProfiles(); // refuses a file that cannot be used before the token is typed
  const profile = await readProfile(url, key);
  const client = createClient({
    url,
    token: async () =>
      'token' in profile ? profile.token : signToken(profile.secret, { keyId: profile.keyId, ttlSeconds: 600 }),
    from: `profile ${name}`,
  });
  const account = await client.ask('account.get');
  await keepProfile(name, profile);
  console.log(
    `Signed in to ${url} as ${textOf(account.name)} (${textOf(account.accountId)}). Profile ${name} is kept in ${profilesPath()}.`,
  );
  const first = await goesFirst(name);
  if (first !== null) console.error(`outdial: ${first}`);
}

/** What commands from here ask instead of the current profile, or why they ask nothing; null: they ask it. */
async function goesFirst(name: string): Promise<string | null> {
  try {
    const { url, from } = await findConnection({});
    if (from === `profile ${name}`) return null;
    return `Commands from here still ask ${url} (${from}), which goes before the current profile. Name this one with --profile ${name}.`;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return `Commands from here do not ask it yet: ${error.message}`;
  }
}

async function readProfile(url: string, key: string | undefined): Promise<Profile> {
  if (key === undefined) return { url, token: await readSecret('Token') };
  if (!key.startsWith('key_')) throw wrongUsage('--key: the id of a key, key_…; its secret is asked for.');
  return { url, keyId: key, secret: await readSecret('Secret of the key') };
}

/** `outdial logout` */
export async function signOut(given: string | undefined): Promise<void> {
  const name = given ?? readProfiles().current;
  if (name === null) throw wrongUsage('There is no current profile. Name one with --profile.');
  await dropProfile(name);
  console.log(`Profile ${name} is forgotten. Its token goes on working until it expires or is revoked.`);
}

/** `outdial profile use` */
export async function useProfile(name: string): Promise<void> {
  await chooseProfile(name);
  const first = await goesFirst(name);
  if (first === null) console.log(`Commands now ask ${profileNamed(name).url} (profile ${name}).`);
  else {
    console.log(`Profile ${name} is the current one (${profileNamed(name).url}).`);
    console.error(`outdial: ${first}`);
  }
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
