import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../embedded/whole-file.js';

/**
 * The value of OUTDIAL_ENCRYPTION_KEYS for the embedded database: the user's own where set, else one made once and kept
 * in the data folder, readable by its owner alone. Without it the secrets in that database are lost.
 */
export function encryptionKeys(folder: string, given: string | undefined): string {
  if (given !== undefined && given !== '') return given;
  const path = join(folder, 'encryption-keys');
  if (!existsSync(path)) writeWhole(path, `local:${randomBytes(32).toString('base64')}\n`, 0o600);
  return readFileSync(path, 'utf8').trim();
}
