import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const codeBytes = 24;

/** What a file of the folder contains: whose the code is, and until when. Its name is the code's hash, never the code. */
const Kept = z.object({ keyId: z.string(), expiresAt: z.iso.datetime() });

const fileOf = (folder: string, code: string): string =>
  join(folder, `${createHash('sha256').update(code).digest('hex')}.json`);

/**
 * Makes a code that can be redeemed once, by a process that reads the same folder. Codes that were made before no longer count.
 *
 * @param folder made if missing, readable by its owner alone
 * @param keyId the API key that whoever redeems it gets a token of
 * @returns 192 random bits, in characters that need no escaping in an address
 */
export function issueCode(folder: string, keyId: string, expiresAt: Date): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
  const code = randomBytes(codeBytes).toString('base64url');
  const kept: z.infer<typeof Kept> = { keyId, expiresAt: expiresAt.toISOString() };
  writeFileSync(fileOf(folder, code), JSON.stringify(kept), { mode: 0o600 });
  return code;
}

/**
 * Takes a code. It is gone from then on: of several who send it at once, one gets the key.
 *
 * @returns the API key it stands for; null if there is no such code, or its time is over
 */
export function redeemCode(folder: string, code: string, now: Date): string | null {
  const path = fileOf(folder, code);
  try {
    const kept = Kept.parse(JSON.parse(readFileSync(path, 'utf8')));
    // Whoever removes the file has the code: for all others there is none to remove.
    rmSync(path);
    return now < new Date(kept.expiresAt) ? kept.keyId : null;
  } catch {
    return null;
  }
}
