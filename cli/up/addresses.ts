import { join } from 'node:path';
import { freePort } from '../../embedded/free-port.js';

/** Where each part listens and writes. Chosen once per run: a part that is started again comes back at its place. */
export interface Addresses {
  readonly host: string;
  readonly apiUrl: string;
  readonly apiPort: number;
  readonly postgresPort: number;
  readonly temporalPort: number;
  readonly temporalUiPort: number;
  readonly carrierPort: number;
  readonly carrierUrl: string;
  readonly carrierLedger: string;
  readonly metricsPorts: Readonly<Record<'api' | 'worker' | 'dialer', number>>;
  readonly logFolder: string;
}

export async function chooseAddresses(folder: string, host: string, wantedApiPort?: number): Promise<Addresses> {
  const apiPort = wantedApiPort ?? (await freePort());
  const carrierPort = await freePort();
  return {
    host,
    apiPort,
    apiUrl: `http://${host.includes(':') ? `[${host}]` : host}:${apiPort}`,
    postgresPort: await freePort(),
    temporalPort: await freePort(),
    temporalUiPort: await freePort(),
    carrierPort,
    carrierUrl: `http://127.0.0.1:${carrierPort}`,
    carrierLedger: join(folder, 'carrier-ledger.jsonl'),
    metricsPorts: { api: await freePort(), worker: await freePort(), dialer: await freePort() },
    logFolder: join(folder, 'logs'),
  };
}
