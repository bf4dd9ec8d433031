import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { type Child, startChild } from './child.js';
import { reservedPort } from './free-port.js';
import type { Listening } from './temporal-ui.js';

export interface TemporalServerOptions {
  /** The `temporal` program; see findTemporal. */
  readonly program: string;
  /** Database file; omitted: everything is forgotten when the server stops. */
  readonly databaseFile?: string;
  /** Port of 127.0.0.1; omitted: a free one. */
  readonly port?: number;
  /** Address that the web UI listens on; omitted: there is none. It answers everyone, see `serveTemporalUi`. */
  readonly ui?: Listening;
  readonly logFile: string;
  /** Called with the process as soon as there is one, before it serves. */
  readonly spawned?: (child: Child) => void;
}

export interface TemporalServer {
  /** host:port of the frontend */
  readonly address: string;
  readonly port: number;
  readonly child: Child;
  stop(): Promise<void>;
}

/** Search attributes of every workflow of ours, by type. In production the workers register them. */
export const searchAttributes = {
  OutdialAccountId: 'Keyword',
  OutdialBatchId: 'Keyword',
  OutdialStatus: 'Keyword',
} as const;

/** The development server's limits fit a tutorial; a batch of thousands of calls meets them in its first second. */
const limits: Readonly<Record<string, number>> = {
  'frontend.rps': 20_000,
  'frontend.namespaceRPS': 20_000,
  'frontend.namespaceRPS.visibility': 1_000,
  'frontend.namespaceCount': 20_000,
  'history.rps': 30_000,
  'history.persistenceMaxQPS': 100_000,
  'history.persistenceGlobalMaxQPS': 0,
  'matching.rps': 30_000,
  'matching.persistenceMaxQPS': 100_000,
  'frontend.persistenceMaxQPS': 100_000,
};

/**
 * The server opens an HTTP API, too, and no flag turns it off. A web page that has let its host name point to this
 * machine is refused by these.
 */
const hostsOfHttpApi = ['127.0.0.1', '127.0.0.1:*', 'localhost', 'localhost:*'];

/**
 * Starts Temporal's development server and resolves when its frontend answers.
 * @throws if it does not come up within 120 s; the message names the log file
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const port = options.port ?? (await reservedPort());
  const { ui } = options;
  const databaseFile = options.databaseFile === undefined ? undefined : resolve(options.databaseFile);
  if (databaseFile !== undefined) mkdirSync(dirname(databaseFile), { recursive: true });
  const child = await startChild({
    command: options.program,
    args: [
      'server',
      'start-dev',
      ...['--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error'],
      ...(ui === undefined
        ? ['--headless']
        : ['--ui-ip', ui.host, '--ui-port', String(ui.port), '--ui-disable-news-fetch']),
      ...(databaseFile === undefined ? [] : ['--db-filename', databaseFile]),
      // The default journal is several times slower; what a power cut may take here is rebuilt from Postgres.
      ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
      ...Object.entries(searchAttributes).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
      ...Object.entries(limits).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]),
      ...['--dynamic-config-value', `frontend.httpAllowedHosts=${JSON.stringify(hostsOfHttpApi)}`],
    ],
    logFile: resolve(options.logFile),
  });
  options.spawned?.(child);
  const address = `127.0.0.1:${port}`;
  if (!(await answers(address, child))) {
    await child.stop();
    throw new Error(`Temporal does not start; its log is ${resolve(options.logFile)}.`);
  }
  return {
    address,
    port,
    child,
    stop: () => child.stop(),
  };
}

async function answers(address: string, child: Child): Promise<boolean> {
  const until = performance.now() + 120_000;
  while (!child.isOver() && performance.now() < until) {
    let connection: Connection | undefined;
    try {
      connection = await Connection.connect({ address, connectTimeout: '2s' });
      await connection.workflowService.describeNamespace({ namespace: 'default' });
      return true;
    } catch {
      await delay(50); // not up yet
    } finally {
      await connection?.close();
    }
  }
  return false;
}
