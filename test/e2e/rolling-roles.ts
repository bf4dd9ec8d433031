import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, cpSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { freePort } from '../../embedded/free-port.js';
import { findTemporal, userBinFolder } from '../../embedded/temporal.js';
import { startTemporalServer } from '../../embedded/temporal-server.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { testDatabase } from '../setup/database.js';
import { clientOf } from './client.js';
import { type LedgerLine, until } from './running-service.js';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'dist/cli/main.js');
const callsPerSecond = '4';

export const roles = ['worker', 'dialer', 'api'] as const;
export type Role = (typeof roles)[number];
type Settings = Readonly<Record<string, string>>;

/** A build that says that it is another version. OUTDIAL_OLDER_BUILD names the folder of a real older one. */
function otherBuild(folder: string): string {
  if (process.env.OUTDIAL_OLDER_BUILD !== undefined) return process.env.OUTDIAL_OLDER_BUILD;
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const own = readFileSync(join(root, 'package.json'), 'utf8');
  writeFileSync(join(folder, 'package.json'), own.replace(/"version": "[^"]+"/, '"version": "0.0.9"'));
  return folder;
}

const answers = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
const exitOf = (child: ChildProcess) =>
  new Promise<number | null>((resolve) =>
    child.exitCode === null ? child.once('exit', resolve) : resolve(child.exitCode),
  );

/** Roles of two builds on a database, a Temporal and a simulated carrier of their own. */
export async function rollingRoles() {
  const folder = temporaryFolder('rolling');
  const older = otherBuild(join(folder, 'older'));
  const program = await findTemporal({ binFolder: userBinFolder() });
  if (program.kind !== 'program') throw new Error('A Temporal of its own is needed: unset TEMPORAL_ADDRESS.');
  // Not the suites' shared one: schedules of the service are for all that is on a server.
  const temporal = await startTemporalServer({ program: program.path, logFile: join(folder, 'temporal.log') });
  const database = await testDatabase();
  const ledgerFile = join(folder, 'ledger.jsonl');
  const carrierPort = await freePort();
  const env = {
    ...process.env,
    ...{ OUTDIAL_DATABASE_URL: database.url, TEMPORAL_ADDRESS: temporal.address, OUTDIAL_LOG_LEVEL: 'info' },
    OUTDIAL_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    OUTDIAL_DEFAULT_CALLS_PER_SECOND: callsPerSecond,
    ...{ OUTDIAL_PROVIDER: 'simulator', OUTDIAL_SIMULATOR_URL: `http://127.0.0.1:${carrierPort}` },
  };
  const everStarted: ChildProcess[] = [];
  const run = (build: string, args: readonly string[], settings: Settings = {}) => {
    const log = openSync(join(folder, 'roles.log'), 'a');
    const child = spawn(process.execPath, [join(build, 'dist/cli/main.js'), ...args], {
      env: { ...env, ...settings },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    everStarted.push(child);
    return child;
  };
  const running = new Map<Role, { readonly child: ChildProcess; readonly apiUrl: string }>();

  /** Starts a role and waits until it is ready. */
  async function start(role: Role, build: string, settings: Settings = {}) {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const ports = { OUTDIAL_PORT: String(port), OUTDIAL_METRICS_PORT: String(metricsPort) };
    const child = run(build, [role], { ...ports, ...settings });
    await until(async () => child.exitCode !== null || answers(`http://127.0.0.1:${metricsPort}/healthz`));
    if (child.exitCode !== null) throw new Error(lastWords());
    return { child, apiUrl: `http://127.0.0.1:${port}` };
  }

  /** What the roles complained of last. */
  const lastWords = (): string => {
    const lines = readFileSync(join(folder, 'roles.log'), 'utf8').split('\n');
    return lines
      .filter((line) => !line.startsWith('{"level":"info"'))
      .slice(-40)
      .join('\n');
  };
  async function end({ child }: { readonly child: ChildProcess }): Promise<void> {
    child.kill('SIGTERM');
    const code = await exitOf(child);
    if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${String(code)}: ${lastWords()}`);
  }

  const ledger = () =>
    readFileSync(ledgerFile, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as LedgerLine);
  const dialed = () => new Set(ledger().flatMap(({ event, to }) => (event === 'invite' ? (to ?? []) : [])));
  const cli = (...words: string[]): string =>
    execFileSync(process.execPath, [main, ...words], { env, encoding: 'utf8' });

  run(root, ['simulator', '--port', String(carrierPort), '--ledger', ledgerFile, '--speed', '20']);
  await until(() => answers(`http://127.0.0.1:${carrierPort}/healthz`));
  return {
    ...{ older, newer: root, start, end, ledger, dialed, cli },
    /** Starts a role beside the one that runs, and ends that one when the new one is ready. */
    replace: async (role: Role, build: string): Promise<void> => {
      const before = running.get(role);
      running.set(role, await start(role, build));
      if (before !== undefined) await end(before);
    },
    /** Makes an account. @returns what asks the api that runs as this account */
    account: (): (() => ReturnType<typeof clientOf>) => {
      const { token } = JSON.parse(cli('account', 'create', 'Rolling', '--json')) as { token: string };
      return () => clientOf(running.get('api')!.apiUrl, token);
    },
    /** Fails if an attempt had more than one INVITE, if others were dialed than these, or if the database is not as it should be. */
    expectNobodyLostOrTwice: (numbers: readonly string[]): void => {
      const perAttempt = new Map<string, number>();
      for (const { event, callId, attempt } of ledger()) {
        const key = `${callId}/${attempt}`;
        if (event === 'invite') perAttempt.set(key, (perAttempt.get(key) ?? 0) + 1);
      }
      expect([...perAttempt].filter(([, count]) => count > 1)).toEqual([]);
      expect([...dialed()].sort()).toEqual(numbers.toSorted());
      expect(JSON.parse(cli('audit', '--json'))).toMatchObject({ clean: true });
    },
    stop: async (): Promise<void> => {
      for (const child of everStarted) child.kill('SIGKILL');
      await temporal.stop();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
