import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../embedded/whole-file.js';

/**
 * The value of OUTDIAL_ENCRYPTION_KEYS for the embedded database: the user's own if set, else one made once and kept
 * in the data folder, readable by its owner alone. Without it the secrets in that database are lost.
 */
export function encryptionKeys(folder: string, given: string | undefined): string {
  if (isGiven(given)) return given;
  const path = keysPath(folder);
  if (!existsSync(path)) writeWhole(path, `local:${randomBytes(32).toString('base64')}\n`, 0o600);
  return readFileSync(path, 'utf8').trim();
}

/**
 * The keys that seal the secrets of a folder which this process has not started a service on.
 * @param of where those of the service come from; undefined: nothing runs on the folder
 * @throws Error if the service has its own keys and `given` is empty
 */
export function keysInUse(folder: string, of: 'folder' | 'environment' | undefined, given: string | undefined): string {
  const path = keysPath(folder);
  const wantsOwn = of === undefined ? isGiven(given) : of === 'environment';
  if (!wantsOwn && existsSync(path)) return readFileSync(path, 'utf8').trim();
  if (isGiven(given)) return given;
  throw new Error(`The service on ${folder} was started with OUTDIAL_ENCRYPTION_KEYS: set the same for this command.`);
}

/** Whether the user brings keys; an empty setting counts as none. */
export const isGiven = (keys: string | undefined): keys is string => keys !== undefined && keys.trim() !== '';

const keysPath = (folder: string): string => join(folder, 'encryption-keys');
