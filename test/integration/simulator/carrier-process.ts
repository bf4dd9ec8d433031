import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { type Child, startChild } from '../../../embedded/child.js';
import { reservedPort } from '../../../embedded/free-port.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import type { DialOrder } from '../../../telephony/provider.js';
import { LedgerLine } from '../../../telephony/simulator/ledger.js';
import { soon } from '../../setup/soon.js';

export const built = (path: string): string => fileURLToPath(new URL(`../../../dist/${path}`, import.meta.url));

export interface CarrierProcess {
  readonly url: string;
  readonly folder: string;
  readonly ledgerPath: string;
  readonly pid: () => number;
  ledger(): LedgerLine[];
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** The simulator as it runs in production of a demo: a process of its own, on one port and ledger over its restarts. */
export async function startCarrierProcess(...flags: readonly string[]): Promise<CarrierProcess> {
  const folder = temporaryFolder('carrier');
  const ledgerPath = join(folder, 'ledger.jsonl');
  const port = await reservedPort();
  const url = `http://127.0.0.1:${port}`;
  let child: Child;

  const carrier: CarrierProcess = {
    ...{ url, folder, ledgerPath },
    pid: () => child.pid,
    ledger: () => (existsSync(ledgerPath) ? ledgerLines(ledgerPath) : []),
    async kill() {
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
    async start() {
      const args = [built('telephony/simulator/main.js'), '--port', String(port), '--ledger', ledgerPath, ...flags];
      child = await startChild({ command: process.execPath, args, logFile: join(folder, 'carrier.log') });
      await vi.waitFor(() => mustBeHealthy(url), soon);
    },
  };
  await carrier.start();
  return carrier;
}

async function mustBeHealthy(url: string): Promise<void> {
  const { status } = await fetch(`${url}/healthz`);
  if (status !== 200) throw new Error(`the carrier says ${status}`);
}

/** Every whole line; what a crash tore is left out, as the carrier itself does. */
export const ledgerLines = (path: string): LedgerLine[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => LedgerLine.parse(JSON.parse(line)));

let made = 0;

/** An order for a number, by a reference that no other test uses. */
export function orderTo(to: string, changes: Partial<DialOrder> = {}): DialOrder {
  const callId = changes.callId ?? `call_${process.pid}_${++made}`;
  const { attempt = 1, invite = 1, gatewayId = 'gwo_test' } = changes;
  return {
    ...{ callId, attempt, invite, gatewayId, to },
    room: `room_${callId}_${attempt}_${invite}`,
    from: '+15550100000',
    gateway: {
      ...{ id: gatewayId, address: 'carrier.example:5061', transport: 'tls', mediaEncryption: 'disable' },
      ...{ region: 'default', headers: {}, numberFormat: 'e164' },
      auth: { username: 'trunk', password: 'a-secret-of-the-trunk' },
    },
    identity: `callee_${callId}_${attempt}_${invite}`,
    ...{ ringTimeoutSeconds: 45, maxCallSeconds: 36_000, headers: {} },
    ...{ hidePhoneNumber: false, dtmf: false, record: false },
    ...changes,
  };
}
