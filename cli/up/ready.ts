import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { holderOf } from '../../embedded/data-lock.js';

/** Addresses and token of a running service, as `ready.json` and `--ready-file` contain them. */
export const Ready = z.object({
  apiUrl: z.string(),
  docsUrl: z.string(),
  /** API token of the account that `up` made. */
  token: z.string(),
  temporalAddress: z.string(),
  /** null if TEMPORAL_ADDRESS names a server that `up` did not start, or if this machine cannot hide the UI from web pages. */
  temporalUiUrl: z.string().nullable(),
  carrierUrl: z.string(),
  /** Path of the simulated carrier's append-only ledger of every INVITE. */
  carrierLedger: z.string(),
  /** Port of 127.0.0.1 that the embedded PostgreSQL listens on; its password is in the data folder. */
  postgresPort: z.number(),
  /** Where the keys that seal its secrets come from: `folder`, or OUTDIAL_ENCRYPTION_KEYS. */
  encryptionKeys: z.enum(['folder', 'environment']),
  /** Of a part that has died and is being started again, the process that it had. */
  pids: z.object({
    api: z.number(),
    worker: z.number(),
    dialer: z.number(),
    carrier: z.number(),
    temporal: z.number().nullable(),
    postgres: z.number(),
  }),
});
export type Ready = z.infer<typeof Ready>;

export const readyPath = (folder: string): string => join(folder, 'ready.json');

/** The service that runs on this data folder; undefined if none does or it is still starting. */
export function runningService(folder: string): Ready | undefined {
  if (holderOf(folder) === undefined) return undefined;
  try {
    return Ready.parse(JSON.parse(readFileSync(readyPath(folder), 'utf8')));
  } catch {
    return undefined; // it is written last
  }
}
