import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { part } from '../setup/part.js';
import type { ServicePlace } from '../setup/shared-service.js';
import { type Client, clientOf } from './client.js';
import { ledgerIn, type LedgerLine, type Ready, readyIn } from './running-service.js';

const program = join(import.meta.dirname, '../../dist/cli/main.js');

/**
 * The service that test files share, as one account sees it. Who kills parts of it, or sets it up in a way of its own, runs another:
 * `runService`. A number that calls come to belongs to one account, so each file registers numbers that no other has.
 */
export interface SharedService extends Client, ServicePlace {
  /** With the token of this account. */
  readonly ready: () => Ready;
  /** Environment with which commands ask as this account. */
  readonly settings: Readonly<Record<string, string>>;
  /** Of all accounts. */
  ledger(): LedgerLine[];
}

/** The shared service, which starts if nobody has asked for it before, with a new account. */
export async function sharedService(accountName: string): Promise<SharedService> {
  const service = await sharedServiceAsLocal();
  const words = ['account', 'create', accountName, '--data', service.folder, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words]);
  const { token } = JSON.parse(stdout) as { token: string };
  const { apiUrl } = service.ready();
  return {
    ...service,
    ...clientOf(apiUrl, token),
    ready: () => ({ ...service.ready(), token }),
    settings: { OUTDIAL_URL: apiUrl, OUTDIAL_TOKEN: token },
  };
}

/** The same as the account that `up` makes, whose commands need no setting. One file uses it: that which tests just this. */
export async function sharedServiceAsLocal(): Promise<SharedService> {
  const place = JSON.parse(await part('service')) as ServicePlace;
  const ready = (): Ready => readyIn(join(place.folder, 'ready.json'));
  const { apiUrl, token, carrierLedger } = ready();
  return { ...place, ...clientOf(apiUrl, token), ready, settings: {}, ledger: () => ledgerIn(carrierLedger) };
}
