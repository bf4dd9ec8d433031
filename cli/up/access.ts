import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createAccount } from '../../api/account/accounts.js';
import type { Db } from '../../db/client.js';
import { findActiveKey } from '../../db/queries/accounts/keys.js';
import { writeWhole } from '../../embedded/whole-file.js';
import { issueCode } from '../../platform/one-time-codes.js';
import type { SecretBox } from '../../platform/secret-box.js';

/** Long enough to open a browser. */
const signInMs = 10 * 60_000;

const Access = z.object({ accountId: z.string(), keyId: z.string(), token: z.string() });

/** Accounts that are made on one machine, and the file of the data folder that keeps the token of each. */
export const localAccounts = {
  /** The user's own, for what is done by hand. */
  user: { name: 'Local', file: 'access.json' },
  /** What the demo makes stays apart from it. */
  demo: { name: 'Demo', file: 'demo-access.json' },
} as const;

/** Token of an account, which is made on first use. The file is readable by the folder's owner only. */
export async function localToken(
  db: Db,
  secretBox: SecretBox,
  folder: string,
  { name, file }: (typeof localAccounts)[keyof typeof localAccounts],
): Promise<string> {
  const path = join(folder, file);
  const kept = readAccess(path);
  if (kept !== undefined && (await findActiveKey(db, kept.keyId)) !== null) return kept.token;
  const { account, key, token } = await createAccount(db, secretBox, name);
  writeWhole(path, `${JSON.stringify({ accountId: account.id, keyId: key.id, token }, null, 2)}\n`, 0o600);
  return token;
}

/**
 * The address of the console that signs in to this account, once and for ten minutes.
 *
 * @param folder data folder of a service that runs
 * @param now decides when the address ends
 */
export function signInAddress(
  { folder, apiUrl }: { readonly folder: string; readonly apiUrl: string },
  { file }: (typeof localAccounts)[keyof typeof localAccounts],
  now = new Date(),
): string | undefined {
  const kept = readAccess(join(folder, file));
  if (kept === undefined) return undefined;
  const code = issueCode(signInFolder(folder), kept.keyId, new Date(now.getTime() + signInMs));
  return `${apiUrl}/console#code=${code}`;
}

/** Where the codes of such addresses are kept. */
export const signInFolder = (folder: string): string => join(folder, 'sign-in');

function readAccess(path: string): z.infer<typeof Access> | undefined {
  try {
    return Access.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined; // first run, or deleted to get a new account
  }
}
