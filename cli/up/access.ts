import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createAccount } from '../../api/account/accounts.js';
import type { Db } from '../../db/client.js';
import { findActiveKey } from '../../db/queries/keys.js';
import { writeWhole } from '../../embedded/whole-file.js';
import type { SecretBox } from '../../platform/secret-box.js';

const Access = z.object({ accountId: z.string(), keyId: z.string(), token: z.string() });

/** Token of the account that is made on the first run and used ever after; kept where only its owner can read it. */
export async function localToken(db: Db, secretBox: SecretBox, folder: string): Promise<string> {
  const path = join(folder, 'access.json');
  const kept = readAccess(path);
  if (kept !== undefined && (await findActiveKey(db, kept.keyId)) !== null) return kept.token;
  const { account, key, token } = await createAccount(db, secretBox, 'Local');
  writeWhole(path, `${JSON.stringify({ accountId: account.id, keyId: key.id, token }, null, 2)}\n`, 0o600);
  return token;
}

function readAccess(path: string): z.infer<typeof Access> | undefined {
  try {
    return Access.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined; // first run, or deleted to get a new account
  }
}
