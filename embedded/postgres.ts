import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Child, canPassClosedFolders, startChild } from './child.js';
import { reservedPort } from './free-port.js';
import { endOfLog, passesByItself, reasonInLog } from './postgres-log.js';
import { closedFolderOf, postgresPrograms, unprivilegedUser } from './postgres-program.js';
import { commandLineOf, endProcess, type ProcessIdentity, startOf } from './process-identity.js';
import { temporaryFolder } from './temporary-folder.js';

export interface PostgresOptions {
  /** Folder of the cluster; made if missing, kept afterwards. */
  readonly folder: string;
  /** Port of 127.0.0.1; omitted: a free one. */
  readonly port?: number;
  readonly logFile: string;
  /** Called with the process as soon as there is one, before it serves. */
  readonly spawned?: (child: Child) => void;
  /** Database made on the first start. */
  readonly database?: string;
  /**
   * `disk` survives a power cut. `process` survives the death of every process but not of the machine, and is for tests:
   * it spares every fsync.
   */
  readonly durability?: 'disk' | 'process';
}

export interface EmbeddedPostgres {
  /** postgres://…, with the password: not for logs. */
  readonly url: string;
  readonly port: number;
  readonly child: Child;
  stop(): Promise<void>;
}

const user = 'outdial';

const settings = (durability: 'disk' | 'process'): Record<string, string> => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Parallel workers take /dev/shm, which containers keep small, and gain nothing on queries as short as ours.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  autovacuum_naptime: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A statement that fails is told to the process that sent it. PostgreSQL would write the row that it could not store, too.
  log_min_messages: 'log',
  // Commits are never answered before they are written: a dialer relies on it before each INVITE.
  synchronous_commit: 'on',
  ...(durability === 'process' ? { fsync: 'off', full_page_writes: 'off' } : {}),
});

/** The URL of a cluster that startPostgres has made. It contains the password: keep it out of logs. */
export function embeddedPostgresUrl(folder: string, port: number, database = 'outdial'): string {
  const password = readFileSync(join(folder, 'password'), 'utf8').trim();
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/** The same for the processes of the service, which have their own role. Its password is made when it is first asked for. */
export function embeddedServiceUrl(folder: string, port: number, database = 'outdial'): string {
  const path = join(folder, 'service-password');
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('hex'), { mode: 0o600 });
  const password = readFileSync(path, 'utf8').trim();
  return `postgres://${user}_service:${password}@127.0.0.1:${port}/${database}`;
}

/**
 * Starts PostgreSQL 18 on its own folder and resolves when it takes connections. Calling it again on the same
 * folder goes on with the data, also after everything was killed with -9.
 * @throws if the cluster cannot be made or does not come up; the message tells PostgreSQL's own reason and names the log
 *   file. A temporary reason is waited for, at most 120 s; any other is reported at once
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.folder);
  const logFile = resolve(options.logFile);
  const database = options.database ?? 'outdial';
  const programs = await postgresPrograms();
  mkdirSync(folder, { recursive: true });
  const as = userFor(folder, programs.postgres);
  const cluster = join(folder, 'cluster');
  if (!existsSync(join(cluster, 'PG_VERSION')))
    await createCluster({ folder, cluster, initdb: programs.initdb, as, logFile });
  await endPreviousServer(cluster);

  const until = performance.now() + 120_000;
  for (;;) {
    const port = options.port ?? (await reservedPort());
    const url = (name: string) => embeddedPostgresUrl(folder, port, name);
    const flags = Object.entries(settings(options.durability ?? 'disk')).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const logged = endOfLog(logFile);
    const child = await startChild({
      command: programs.postgres,
      args: ['-D', cluster, '-p', String(port), ...flags],
      cwd: cluster,
      ...as,
      logFile,
      stopSignal: 'SIGINT', // "fast": rolls back what is open; SIGTERM would wait for every client to leave
    });
    options.spawned?.(child);
    if (await becomesReady(url('postgres'), child, until)) {
      await ensureDatabase(url('postgres'), database);
      return { url: url(database), port, child, stop: () => child.stop() };
    }
    const gaveUp = child.isOver();
    await child.stop();
    const { signal } = await child.exited;
    const reason = reasonInLog(logFile, logged);
    const mayPass = !gaveUp || (signal !== null && signal !== 'SIGABRT') || passesByItself(reason);
    if (!mayPass || performance.now() > until) {
      throw new Error(`PostgreSQL does not start: ${reason || 'it gave no reason'} (its log is ${logFile})`);
    }
    await delay(200);
  }
}

/** The same in a new temporary folder that is deleted by `stop`. For tests and benchmarks. */
export async function startTemporaryPostgres(): Promise<EmbeddedPostgres> {
  const folder = temporaryFolder('postgres');
  const server = await startPostgres({ folder, logFile: join(folder, 'postgres.log'), durability: 'process' });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether PostgreSQL runs as a user who enters a folder only if others may. */
export function mustStayOpen(): boolean {
  const account = unprivilegedUser();
  return account !== undefined && !canPassClosedFolders(account);
}

/** The user that PostgreSQL runs as; empty: this process's own user. */
function userFor(folder: string, program: string): Pick<Parameters<typeof startChild>[0], 'user'> {
  const account = unprivilegedUser();
  if (account === undefined) return {};
  const closed = closedFolderOf(join(folder, 'cluster')) ?? closedFolderOf(program);
  if (closed !== undefined && !canPassClosedFolders(account)) {
    throw new Error(
      `PostgreSQL does not run as root, and the user postgres cannot enter ${closed}, which is closed to others. ` +
        'Run this as another user than root, or from a folder that others may enter.',
    );
  }
  return { user: { ...account, throughClosedFolders: closed !== undefined } };
}

async function createCluster(at: {
  folder: string;
  cluster: string;
  initdb: string;
  as: Pick<Parameters<typeof startChild>[0], 'user'>;
  logFile: string;
}): Promise<void> {
  // Made beside its place and renamed when whole, so that a kill half-way leaves nothing that looks like a cluster.
  const half = `${at.cluster}.new`;
  rmSync(half, { recursive: true, force: true });
  rmSync(at.cluster, { recursive: true, force: true });
  mkdirSync(half, { recursive: true, mode: 0o700 });
  const passwordFile = join(at.folder, 'password');
  writeFileSync(passwordFile, `${randomBytes(18).toString('base64url')}\n`, { mode: 0o600 });
  if (at.as.user !== undefined) {
    chownSync(half, at.as.user.uid, at.as.user.gid);
    chownSync(passwordFile, at.as.user.uid, at.as.user.gid);
  }
  const logged = endOfLog(at.logFile);
  const initdb = await startChild({
    command: at.initdb,
    args: [
      `--pgdata=${half}`,
      `--username=${user}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Knows the letters of every language, sorts by code point, and is the same on every machine.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
    ],
    cwd: half,
    ...at.as,
    logFile: at.logFile,
  });
  const { code } = await initdb.exited;
  if (code !== 0) {
    const reason = reasonInLog(at.logFile, logged) || `initdb ended with ${code ?? 'a signal'}`;
    throw new Error(`PostgreSQL cannot make its data folder: ${reason} (its log is ${at.logFile})`);
  }
  renameSync(half, at.cluster);
}

/** A server that outlived its supervisor is ended; a lock file whose pid another process has now is removed. */
async function endPreviousServer(cluster: string): Promise<void> {
  const server = serverOf(cluster);
  if (server !== undefined) await endProcess(server, 'SIGINT');
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** The server that runs on this cluster, if any, as its lock file and the process's own command line say. */
function serverOf(cluster: string): ProcessIdentity | undefined {
  const lock = join(cluster, 'postmaster.pid');
  if (!existsSync(lock)) return undefined;
  const pid = Number(readFileSync(lock, 'utf8').split('\n', 1)[0]);
  const startedAt = Number.isInteger(pid) && pid > 1 ? startOf(pid) : null;
  return startedAt !== null && commandLineOf(pid).includes(cluster) ? { pid, startedAt } : undefined;
}

async function becomesReady(url: string, child: Child, until: number): Promise<boolean> {
  while (!child.isOver() && performance.now() < until) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    try {
      await client.connect();
      return true;
    } catch {
      await delay(30); // not up yet: the loop's condition decides how long that is believed
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return false;
}

async function ensureDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
