import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { holderOf } from '../../embedded/data-lock.js';
import { localProviders } from './provider.js';

/** Addresses and token of a running service, as `ready.json` and `--ready-file` contain them. */
export const Ready = z.object({
  apiUrl: z.string(),
  docsUrl: z.string(),
  /** API token of the account that `up` made. */
  token: z.string(),
  temporalAddress: z.string(),
  /** null if TEMPORAL_ADDRESS names a server that `up` did not start, or if this machine cannot hide the UI from web pages. */
  temporalUiUrl: z.string().nullable(),
  /** What carries the calls; versions that did not say so simulated them. */
  provider: z.enum(localProviders).default('simulator'),
  /** null if calls are real. */
  carrierUrl: z.string().nullable(),
  /** Path of the simulated carrier's append-only ledger of every INVITE; null if calls are real. */
  carrierLedger: z.string().nullable(),
  /** Port of 127.0.0.1 that the embedded PostgreSQL listens on; its password is in the data folder. */
  postgresPort: z.number(),
  /** Where the keys that seal its secrets come from: `folder`, or OUTDIAL_ENCRYPTION_KEYS. */
  encryptionKeys: z.enum(['folder', 'environment']),
  /** Of a part that has died and is being started again, the process that it had. */
  pids: z.object({
    api: z.number(),
    worker: z.number(),
    dialer: z.number(),
    /** null if calls are real. */
    carrier: z.number().nullable(),
    /** null if calls are simulated. */
    agent: z.number().nullable().default(null),
    temporal: z.number().nullable(),
    postgres: z.number(),
  }),
});
export type Ready = z.infer<typeof Ready>;

export const readyPath = (folder: string): string => join(folder, 'ready.json');

/**
 * The simulated carrier of a service.
 *
 * @throws if its calls are real
 */
export function carrierOf({ carrierUrl, carrierLedger }: Ready): { readonly url: string; readonly ledger: string } {
  if (carrierUrl === null || carrierLedger === null) {
    throw new Error('Calls of this service are real: it has no simulated carrier.');
  }
  return { url: carrierUrl, ledger: carrierLedger };
}

/** What `pids` of ready.json says of these processes. */
export const pidsOf = (latest: Readonly<Record<string, number>>): Ready['pids'] =>
  Ready.shape.pids.parse({ temporal: null, carrier: null, ...latest });

/** The service that runs on this data folder; undefined if none does or it is still starting. */
export function runningService(folder: string): Ready | undefined {
  if (holderOf(folder) === undefined) return undefined;
  try {
    return Ready.parse(JSON.parse(readFileSync(readyPath(folder), 'utf8')));
  } catch {
    return undefined; // it is written last
  }
}
