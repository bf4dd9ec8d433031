import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, cpSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../embedded/free-port.js';
import { findTemporal, userBinFolder } from '../../embedded/temporal.js';
import { startTemporalServer } from '../../embedded/temporal-server.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { testDatabase } from '../setup/database.js';
import { clientOf } from './client.js';
import { batchIs, csv, type LedgerLine, numbersWithScript, setUp, until } from './running-service.js';

const root = join(import.meta.dirname, '../..');
const roles = ['worker', 'dialer', 'api'] as const;
type Role = (typeof roles)[number];

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

test('every role is replaced by another build while a batch is called, and back again: nobody is lost, nobody called twice', async () => {
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
    OUTDIAL_DEFAULT_CALLS_PER_SECOND: '4',
    ...{ OUTDIAL_PROVIDER: 'simulator', OUTDIAL_SIMULATOR_URL: `http://127.0.0.1:${carrierPort}` },
  };
  const run = (build: string, args: readonly string[], settings: Readonly<Record<string, string>>) => {
    const log = openSync(join(folder, 'roles.log'), 'a');
    const child = spawn(process.execPath, [join(build, 'dist/cli/main.js'), ...args], {
      env: { ...env, ...settings },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    return child;
  };
  const running = new Map<Role, { readonly child: ChildProcess; readonly apiUrl: string }>();
  const everStarted: ChildProcess[] = [];

  /** Starts a role beside the one that runs, and ends that one when the new one is ready. */
  async function replace(role: Role, build: string): Promise<void> {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const settings = { OUTDIAL_PORT: String(port), OUTDIAL_METRICS_PORT: String(metricsPort) };
    const child = run(build, [role], settings);
    everStarted.push(child);
    await until(async () => child.exitCode !== null || answers(`http://127.0.0.1:${metricsPort}/healthz`));
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'roles.log'), 'utf8').slice(-5_000));
    const before = running.get(role);
    running.set(role, { child, apiUrl: `http://127.0.0.1:${port}` });
    if (before === undefined) return;
    before.child.kill('SIGTERM');
    expect(await exitOf(before.child)).toBe(0);
  }

  const carrier = run(root, ['simulator', '--port', String(carrierPort), '--ledger', ledgerFile, '--speed', '20'], {});
  everStarted.push(carrier);
  const ledger = () =>
    readFileSync(ledgerFile, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as LedgerLine);
  const dialed = () => new Set(ledger().flatMap(({ event, to }) => (event === 'invite' ? (to ?? []) : [])));
  try {
    await until(() => answers(`http://127.0.0.1:${carrierPort}/healthz`));
    for (const role of roles) await replace(role, older);
    const { token } = JSON.parse(
      execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), 'account', 'create', 'Rolling', '--json'], {
        ...{ env, encoding: 'utf8' },
      }),
    ) as { token: string };
    const client = () => clientOf(running.get('api')!.apiUrl, token);
    const { phoneNumber } = await setUp(client());
    const versionOf = async () => (await client().request('GET', '/openapi.json')).body.info;
    const first = await versionOf();
    if (process.env.OUTDIAL_OLDER_BUILD === undefined) expect(first).toMatchObject({ version: '0.0.9' });

    const numbers = [
      ...numbersWithScript(0, 100, 1_000),
      ...numbersWithScript(7, 80, 2_000),
      ...numbersWithScript(1, 20, 3_000),
    ];
    const { body } = await client().createBatch(
      { name: 'people.csv', content: csv(numbers) },
      { name: 'Rolling', phoneNumber, retry: { retryOn: ['rejected'], retryDelays: [2] } },
    );
    await until(() => dialed().size >= 10);
    for (const build of [root, older, root]) {
      for (const role of roles) {
        await replace(role, build);
        // What runs now dials, too.
        const before = ledger().length;
        await until(() => ledger().length > before || dialed().size === numbers.length);
      }
    }
    expect(await versionOf()).not.toMatchObject({ version: '0.0.9' });
    await batchIs(client(), body.batchId, 'completed');

    const perAttempt = new Map<string, number>();
    for (const { event, callId, attempt } of ledger()) {
      if (event === 'invite') perAttempt.set(`${callId}/${attempt}`, (perAttempt.get(`${callId}/${attempt}`) ?? 0) + 1);
    }
    expect([...perAttempt].filter(([, count]) => count > 1)).toEqual([]);
    expect([...dialed()].sort()).toEqual(numbers.toSorted());
    const { body: stats } = await client().request('GET', `/v1/batch-calls/${String(body.batchId)}/stats`);
    expect(stats).toMatchObject({ total: 200, pending: 0, dialing: 0 });
    const report = execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), 'audit', '--json'], {
      env,
      encoding: 'utf8',
    });
    expect(JSON.parse(report)).toMatchObject({ clean: true });
  } finally {
    for (const child of everStarted) child.kill('SIGKILL');
    await temporal.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
