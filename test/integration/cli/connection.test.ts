import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findConnection } from '../../../cli/client/connection.js';
import { chooseProfile, dropProfile, keepProfile, profilesPath, readProfiles } from '../../../cli/client/profiles.js';
import { useProfile } from '../../../cli/client/sign-in.js';
import { listService } from '../../../cli/up/running-services.js';
import { type DataLock, lockData, takeLock } from '../../../embedded/data-lock.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';

const before = { folder: process.cwd(), env: { ...process.env } };
let root: string;
let locks: DataLock[];

beforeEach(() => {
  root = temporaryFolder('connection');
  locks = [];
  mkdirSync(join(root, 'here'));
  process.chdir(join(root, 'here'));
  process.env.XDG_STATE_HOME = join(root, 'state');
  process.env.XDG_CONFIG_HOME = join(root, 'config');
});

afterEach(() => {
  vi.restoreAllMocks();
  for (const lock of locks) lock.release();
  process.chdir(before.folder);
  process.env = { ...before.env };
  rmSync(root, { recursive: true, force: true });
});

/** A service that runs on this folder: this process stands for it. */
function serviceIn(folder: string, apiUrl: string): void {
  locks.push(lockData(folder));
  listService(folder);
  const pids = { api: 2, worker: 2, dialer: 2, carrier: 2, temporal: null, postgres: 2 };
  const ready = {
    ...{ apiUrl, docsUrl: '', token: `token of ${apiUrl}`, temporalAddress: '', temporalUiUrl: null, pids },
    ...{ carrierUrl: '', carrierLedger: '', postgresPort: 5433, encryptionKeys: 'folder' },
  };
  writeFileSync(join(folder, 'ready.json'), JSON.stringify(ready));
}

const find = (flags = {}, env: Record<string, string> = {}) => findConnection(flags, env);

test('each way to name a service wins over those below it', async () => {
  const env = { OUTDIAL_URL: 'https://env.example/', OUTDIAL_TOKEN: 'e', OUTDIAL_PROFILE: 'second' };
  serviceIn(join(root, 'elsewhere'), 'http://elsewhere');
  expect(await find()).toMatchObject({ url: 'http://elsewhere' });
  await keepProfile('second', { url: 'https://second.example', token: 's' });
  await keepProfile('first', { url: 'https://first.example', token: 'f' });
  expect(await find()).toMatchObject({ url: 'https://first.example', from: 'profile first' });
  serviceIn(join(root, 'here', '.outdial'), 'http://here');
  expect(await find()).toMatchObject({ url: 'http://here' });
  expect(await find({}, { OUTDIAL_PROFILE: 'second' })).toMatchObject({ url: 'https://second.example' });
  expect(await find({}, env)).toMatchObject({ url: 'https://env.example' });
  expect(await find({ data: '../elsewhere' }, env)).toMatchObject({ url: 'http://elsewhere' });
  const named = await find({ profile: 'first' }, env);
  expect({ url: named.url, token: await named.token() }).toEqual({ url: 'https://first.example', token: 'f' });
});

test('a profile with a key signs tokens that live for ten minutes', async () => {
  await keepProfile('signs', { url: 'https://first.example', keyId: 'key_1', secret: 'sk_secret' });
  const { exp = 0, iat = 0, apikey } = decodeJwt(await (await find()).token());
  expect({ life: exp - iat, apikey }).toEqual({ life: 600, apikey: 'key_1' });
});

test('the file of profiles is readable by its owner alone, in a folder closed to others, also if that was open', async () => {
  mkdirSync(join(root, 'config', 'outdial'), { recursive: true, mode: 0o755 });
  await keepProfile('first', { url: 'https://first.example', token: 'f' });
  expect(statSync(profilesPath()).mode & 0o777).toBe(0o600);
  expect(statSync(join(root, 'config', 'outdial')).mode & 0o777).toBe(0o700);
});

test('a file of profiles that others can read is not used, and the error says how to close it, not what is in it', async () => {
  await keepProfile('first', { url: 'https://first.example', token: 'f-token' });
  chmodSync(profilesPath(), 0o644);
  await expect(find()).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining(`chmod 600 ${profilesPath()}`),
  });
  chmodSync(profilesPath(), 0o600);
  writeFileSync(profilesPath(), '{"token":"f-token"');
  const refused = await find().then(
    () => new Error('found'),
    (error: unknown) => error as Error,
  );
  expect(refused).toMatchObject({ exitCode: 1, message: expect.stringContaining('outdial login') });
  expect(refused.message).not.toContain('f-token');
});

test('without any service the error says what to do, with exit code 3, and makes nothing', async () => {
  await expect(find()).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('outdial login --url URL'),
  });
  expect(existsSync(profilesPath())).toBe(false);
});

test.each([
  ['half of an address and token', {}, { OUTDIAL_URL: 'https://a.example' }, 'belong together'],
  ['a password in the address', {}, { OUTDIAL_URL: 'https://u:p@a.example', OUTDIAL_TOKEN: 't' }, 'the address alone'],
  [
    'another protocol',
    {},
    { OUTDIAL_URL: 'ftp://a.example', OUTDIAL_TOKEN: 't' },
    'must be the address of the service',
  ],
  ['a profile that is not there', { profile: 'x' }, {}, 'There is no profile x'],
  ['both flags', { profile: 'x', data: 'y' }, {}, 'not both'],
])('%s is refused with exit code 2', async (_, flags, env: Record<string, string>, words) => {
  await expect(find(flags, env)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(words) });
});

test('of commands that change the profiles at once, each keeps what the others have written', async () => {
  const module = JSON.stringify(new URL('../../../cli/client/profiles.ts', import.meta.url).href);
  const sources = new URL('../../setup/run-sources.mjs', import.meta.url).href;
  const keep = async (name: string) => {
    const code = `const { keepProfile } = await import(${module});
      for (let i = 0; i < 20; i++) await keepProfile('${name}' + i, { url: 'https://first.example', token: 't' });`;
    await promisify(execFile)(process.execPath, ['--import', sources, '--input-type=module', '-e', code], {
      cwd: before.folder,
    });
  };
  await Promise.all(['a', 'b', 'c', 'd'].map(keep));
  expect(Object.keys(readProfiles().profiles)).toHaveLength(80);
  await Promise.all([dropProfile('a3'), chooseProfile('b5'), dropProfile('c7')]);
  expect(Object.keys(readProfiles().profiles)).toHaveLength(78);
  expect(readProfiles().current).toBe('b5');
  expect(existsSync(`${profilesPath()}.lock`)).toBe(false);
});

test('a command waits for the process that changes the profiles, and takes over from one that is gone', async () => {
  mkdirSync(join(root, 'config', 'outdial'), { recursive: true });
  const lock = `${profilesPath()}.lock`;
  const taken = takeLock(lock);
  if ('pid' in taken) throw new Error('taken');
  const kept = keepProfile('first', { url: 'https://first.example', token: 'f' });
  expect(readProfiles().profiles).toEqual({});
  taken.release();
  await kept;
  writeFileSync(lock, JSON.stringify({ pid: process.pid, startedAt: 'of another process' }));
  await chooseProfile('first');
  expect(readProfiles().current).toBe('first');
});

test.each([
  ['a folder that is a file', () => writeFileSync(join(root, 'config'), ''), 'a part of its path is no folder'],
  ['a folder in its place', () => mkdirSync(profilesPath(), { recursive: true }), 'is no file'],
  ['links in a circle', () => symlinkSync(join(root, 'config'), join(root, 'config')), 'its links lead in a circle'],
])('%s is named with what to do, when profiles are read and when they are written', async (_, make, words) => {
  make();
  const told = { exitCode: 1, message: expect.stringMatching(new RegExp(`${words}\\. Mend that, or name`)) };
  await expect(find()).rejects.toMatchObject(told);
  await expect(keepProfile('first', { url: 'https://first.example', token: 'f' })).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('XDG_CONFIG_HOME'),
  });
});

test('`profile use` says which service commands ask all the same if something goes before the profile', async () => {
  await keepProfile('second', { url: 'https://second.example', token: 's' });
  await keepProfile('first', { url: 'https://first.example', token: 'f' });
  const said = vi.spyOn(console, 'log').mockReturnValue(undefined);
  const warned = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const used = async (env: Record<string, string>) => {
    Object.assign(process.env, env);
    await useProfile('second');
    for (const name of Object.keys(env)) Reflect.deleteProperty(process.env, name);
    return [said.mock.lastCall?.[0], warned.mock.lastCall?.[0] ?? ''].join('\n');
  };
  expect(await used({})).toBe('Commands now ask https://second.example (profile second).\n');
  const current = 'Profile second is the current one (https://second.example).';
  expect(await used({ OUTDIAL_PROFILE: 'first' })).toContain(
    `${current}\noutdial: Commands from here still ask https://first.example (profile first)`,
  );
  expect(await used({ OUTDIAL_URL: 'https://env.example', OUTDIAL_TOKEN: 'e' })).toContain(
    'still ask https://env.example (OUTDIAL_URL)',
  );
  expect(await used({ OUTDIAL_URL: 'https://env.example' })).toContain('do not ask it yet: OUTDIAL_URL and');
});
