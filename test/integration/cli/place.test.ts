import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPlace } from '../../../cli/commands/place.js';
import { listService, runningFolders } from '../../../cli/up/running-services.js';
import { type DataLock, lockData } from '../../../embedded/data-lock.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';

const before = { folder: process.cwd(), state: process.env.XDG_STATE_HOME };
let root: string;
let locks: DataLock[];

beforeEach(() => {
  root = realpathSync(temporaryFolder('place'));
  locks = [];
  mkdirSync(join(root, 'here'));
  process.chdir(join(root, 'here'));
  process.env.XDG_STATE_HOME = join(root, 'state');
});

afterEach(() => {
  for (const lock of locks) lock.release();
  process.chdir(before.folder);
  if (before.state === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = before.state;
  rmSync(root, { recursive: true, force: true });
});

const ready = {
  ...{ apiUrl: 'http://127.0.0.1:1', docsUrl: '', token: '', temporalAddress: '', temporalUiUrl: null },
  ...{ carrierUrl: '', carrierLedger: '', postgresPort: 5433, encryptionKeys: 'folder' },
  pids: { api: 2, worker: 2, dialer: 2, carrier: 2, temporal: null, postgres: 2 },
};

/** A data folder as a service leaves it: made, and not running. */
function dataIn(...path: string[]): string {
  const folder = join(root, ...path);
  mkdirSync(join(folder, 'postgres', 'cluster'), { recursive: true });
  writeFileSync(join(folder, 'postgres', 'cluster', 'PG_VERSION'), '18\n');
  return folder;
}

/** The same while the service runs: this process stands for it. */
function serviceIn(...path: string[]): string {
  const folder = dataIn(...path);
  locks.push(lockData(folder));
  listService(folder);
  writeFileSync(join(folder, 'ready.json'), JSON.stringify(ready));
  return folder;
}

const quiet = (): void => undefined;
const find = (data?: string, env: Record<string, string> = {}) => findPlace(data, env, quiet);

test('D4: the service that runs on .outdial in this folder is found without a setting, also if others run', async () => {
  const here = serviceIn('here', '.outdial');
  serviceIn('elsewhere');
  expect(await find()).toMatchObject({
    kind: 'running',
    folder: here,
    pid: process.pid,
    ready: { postgresPort: 5433 },
  });
});

test('D4: the one service that runs elsewhere is found, before a .outdial on which nothing runs', async () => {
  dataIn('here', '.outdial');
  const elsewhere = serviceIn('elsewhere');
  expect(await find()).toMatchObject({ kind: 'running', folder: elsewhere });
});

test('D4: of two services that run elsewhere none is guessed: both are named, and --data chooses', async () => {
  const [a, b] = [serviceIn('a'), serviceIn('b')];
  const refused = find();
  await expect(refused).rejects.toThrow('Name the data folder of one with --data');
  await expect(refused).rejects.toThrow(new RegExp(`${a}\n.*${b}`));
  expect(await find('../b')).toMatchObject({ kind: 'running', folder: b });
  expect(await find(undefined, { OUTDIAL_DATA: a })).toMatchObject({ kind: 'running', folder: a });
});

test('D4: what a killed service left behind, its ready.json too, counts as a folder on which nothing runs', async () => {
  const folder = dataIn('here', '.outdial');
  listService(folder);
  writeFileSync(join(folder, 'ready.json'), JSON.stringify(ready));
  // Of this very pid, but of a process that started at another time.
  writeFileSync(join(folder, 'up.lock'), JSON.stringify({ pid: process.pid, startedAt: 'long ago' }));
  expect(runningFolders()).toEqual([]);
  expect(await find()).toEqual({ kind: 'stopped', folder });
});

test('D4: a service that is still starting is waited for', async () => {
  const folder = dataIn('here', '.outdial');
  locks.push(lockData(folder));
  const said: string[] = [];
  const found = findPlace(undefined, {}, (line) => said.push(line));
  await expect.poll(() => said).toEqual([expect.stringContaining('waiting for it')]);
  writeFileSync(join(folder, 'ready.json'), JSON.stringify(ready));
  expect(await found).toMatchObject({ kind: 'running', folder });
});

test('D4: a configured database comes before what runs here, and --data before both', async () => {
  const folder = serviceIn('here', '.outdial');
  const env = { OUTDIAL_DATABASE_URL: 'postgres://db/outdial', OUTDIAL_DATA: folder };
  expect(await find(undefined, env)).toEqual({ kind: 'configured' });
  expect(await find(folder, env)).toMatchObject({ kind: 'running', folder });
  expect(await find(undefined, { OUTDIAL_DATABASE_URL: ' ' })).toMatchObject({ kind: 'running', folder });
});

test('D4: a folder that is named and holds no data is an error, not another database', async () => {
  serviceIn('elsewhere');
  await expect(find('empty')).rejects.toThrow(`${join(root, 'here', 'empty')} holds no data`);
  await expect(find(undefined, { OUTDIAL_DATA: 'empty' })).rejects.toThrow('holds no data');
});

test('a home that cannot be written to keeps no service from starting', async () => {
  writeFileSync(join(root, 'state'), 'a file, not a folder');
  const strikeOff = listService(dataIn('elsewhere'));
  strikeOff();
  expect(runningFolders()).toEqual([]);
  expect(await find()).toEqual({ kind: 'configured' });
});
