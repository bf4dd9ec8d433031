import { execFile, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type Child, startChild } from '../embedded/child.js';
import { reservedPort } from '../embedded/free-port.js';
import { startPostgres } from '../embedded/postgres.js';
import { temporaryFolder } from '../embedded/temporary-folder.js';
import { canReadProcesses, cpuMs } from './processes.js';
import type { Result } from './result.js';

/** A package of its own: only this benchmark installs the queues. */
const packageFolder = resolve(import.meta.dirname, '../../bench/peers');

interface Store {
  readonly url: string;
  readonly child: Child;
}

interface Peer {
  readonly name: string;
  readonly program: string;
  /** Starts what keeps its jobs, in this folder. @returns null if this machine does not have it */
  start(folder: string): Promise<Store | null>;
  readonly note: string;
}

const postgres = (folder: string): Promise<Store> => startPostgres({ folder, logFile: join(folder, 'postgres.log') });

async function redis(folder: string): Promise<Store | null> {
  const command = process.env.REDIS_SERVER_BIN ?? 'redis-server';
  if (spawnSync(command, ['--version']).status !== 0) return null;
  const port = await reservedPort();
  // As BullMQ advises for production: what was written within the last second may be lost.
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes'];
  const child = await startChild({ command, args, logFile: join(folder, 'redis.log') });
  return { url: `redis://127.0.0.1:${port}`, child };
}

const peers: readonly Peer[] = [
  { name: 'BullMQ', program: 'bullmq.mjs', start: redis, note: 'Redis, appendfsync everysec' },
  { name: 'graphile-worker', program: 'graphile-worker.mjs', start: postgres, note: 'PostgreSQL, fsync' },
  { name: 'pg-boss', program: 'pg-boss.mjs', start: postgres, note: 'PostgreSQL, fsync, asked twice a second' },
];

const Measured = z.object({ seconds: z.number(), cpuMs: z.number() });

function install(say: (line: string) => void): void {
  if (existsSync(join(packageFolder, 'node_modules'))) return;
  say('Installing the queues of bench/peers …');
  const args = ['ci', '--prefix', packageFolder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  if (spawnSync('npm', args, { stdio: ['ignore', 2, 2] }).status !== 0) {
    throw new Error(`The queues could not be installed: npm ci --prefix ${packageFolder}`);
  }
}

/**
 * Job queues that do one job for each call, as plain as their documentation has it: no gateway, no pace, no call that rings, no
 * record of what became of it. Three in ten throw first and are tried again.
 *
 * @param wholeSystemPerSecond calls per second of this service in the same run; undefined: no ratios
 */
export async function measurePeers(
  jobs: number,
  wholeSystemPerSecond: number | undefined,
  say: (line: string) => void,
): Promise<readonly Result[]> {
  install(say);
  const results: Result[] = [];
  for (const peer of peers) {
    const folder = temporaryFolder('bench-peer');
    const store = await peer.start(folder);
    try {
      if (store === null)
        say(`${peer.name} is not measured: there is no redis-server (REDIS_SERVER_BIN, or on the PATH).`);
      else results.push(...(await measureOne(peer, store, jobs, wholeSystemPerSecond)));
    } finally {
      await store?.child.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return results;
}

async function measureOne(
  { name, program, note }: Peer,
  { url, child }: Store,
  jobs: number,
  wholeSystemPerSecond: number | undefined,
): Promise<readonly Result[]> {
  const before = canReadProcesses ? cpuMs(child.pid) : NaN;
  const { stdout } = await promisify(execFile)(process.execPath, [join(packageFolder, program), String(jobs)], {
    env: { ...process.env, STORE_URL: url },
  });
  const used = canReadProcesses ? cpuMs(child.pid) - before : NaN;
  const { seconds, cpuMs: ownMs } = Measured.parse(JSON.parse(stdout));
  const perSecond = jobs / seconds;
  return [
    { name, value: perSecond, unit: 'jobs/s', note: `${jobs} jobs in ${seconds.toFixed(1)} s; ${note}` },
    { name: `${name}, processor`, value: (used + ownMs) / jobs, unit: 'ms/job', note: 'its server and its worker' },
    ...(wholeSystemPerSecond === undefined
      ? []
      : [{ name: `whole system ÷ ${name}`, value: wholeSystemPerSecond / perSecond, unit: '×', aim: { atLeast: 1 } }]),
  ];
}
