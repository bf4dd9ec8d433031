import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { reservedPort } from '../../embedded/free-port.js';
import { hiddenAddress, type Listening } from '../../embedded/temporal-ui.js';

/** The addresses and paths of each part. Chosen once per run: a part that is started again keeps its own. */
export interface Addresses {
  readonly host: string;
  /** As this machine reaches it. */
  readonly apiUrl: string;
  readonly apiPort: number;
  readonly postgresPort: number;
  readonly temporalPort: number;
  /** Where a browser finds Temporal's UI, and where the UI itself is; undefined: it is not served. */
  readonly temporalUi: { readonly port: number; readonly behind: Listening } | undefined;
  readonly carrierPort: number;
  readonly carrierUrl: string;
  readonly carrierLedger: string;
  readonly metricsPorts: Readonly<Record<'api' | 'worker' | 'dialer' | 'agent', number>>;
  readonly logFolder: string;
}

/** 0.0.0.0 and :: are addresses to listen on, not to go to. */
function hostToGoTo(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** @returns true if only this machine can reach a server on this address */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

export async function chooseAddresses(folder: string, host: string, wantedApiPort?: number): Promise<Addresses> {
  const apiPort = wantedApiPort ?? (await reservedPort());
  const behind = await hiddenAddress();
  const carrierPort = await reservedPort();
  return {
    host,
    apiPort,
    apiUrl: `http://${hostToGoTo(host)}:${apiPort}`,
    postgresPort: await reservedPort(),
    temporalPort: await reservedPort(),
    temporalUi: behind === undefined ? undefined : { port: await reservedPort(), behind },
    carrierPort,
    carrierUrl: `http://127.0.0.1:${carrierPort}`,
    carrierLedger: join(folder, 'carrier-ledger.jsonl'),
    metricsPorts: {
      ...{ api: await reservedPort(), worker: await reservedPort() },
      ...{ dialer: await reservedPort(), agent: await reservedPort() },
    },
    logFolder: join(folder, 'logs'),
  };
}
