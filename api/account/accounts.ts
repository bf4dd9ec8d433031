import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { Db } from '../../db/client.js';
import { insertAccount } from '../../db/queries/accounts/accounts.js';
import { formatId } from '../../domain/ids.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { createKey, type KeyLife, type NewKey } from './keys.js';

export interface NewAccount extends NewKey {
  readonly account: { readonly id: string; readonly name: string };
}

/** A secret of the Standard Webhooks specification: 24 to 64 random bytes in base64 after `whsec_`. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Makes an account with its webhook secret and a first key. Key secret and token are shown here and never again.
 *
 * @param name 1 to 256 characters
 */
export async function createAccount(
  db: Db,
  secretBox: SecretBox,
  name: string,
  life: KeyLife = {},
): Promise<NewAccount> {
  const id = formatId('account', v7());
  return db.transaction().execute(async (tx) => {
    await insertAccount(tx, { id, name, webhookSecretSealed: secretBox.seal(newWebhookSecret()) });
    return { account: { id, name }, ...(await createKey(tx, secretBox, id, 'First key', null, life)) };
  });
}
