import { join } from 'node:path';
import { openDatabase } from '../../db/client.js';
import { embeddedPostgresUrl } from '../../embedded/postgres.js';
import { createSecretBox } from '../../platform/secret-box.js';
import { localAccounts, localToken } from '../up/access.js';
import { keysInUse } from '../up/encryption-key.js';
import type { Ready } from '../up/ready.js';

/**
 * Token of the account that demos of this data folder work in: agents, numbers, guardrails and batches of a demo are never
 * in the account that the user of `up` works with.
 * @param folder absolute
 */
export async function demoToken(folder: string, { postgresPort, encryptionKeys }: Ready): Promise<string> {
  const keys = keysInUse(folder, encryptionKeys, process.env.OUTDIAL_ENCRYPTION_KEYS);
  const database = openDatabase({
    url: embeddedPostgresUrl(join(folder, 'postgres'), postgresPort),
    poolSize: 1,
    name: 'demo',
  });
  try {
    return await localToken(database.db, createSecretBox(keys.split(',')), folder, localAccounts.demo);
  } finally {
    await database.close();
  }
}
