import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { secretPlaces } from '../../domain/account/secret-places.js';
import type { Db } from '../../db/client.js';
import { insertAccount } from '../../db/queries/accounts/accounts.js';
import { formatId } from '../../domain/ids.js';
import type { SecretBox } from '../../platform/secret-box.js';
import type { TokenPermission } from '../../platform/token-permissions.js';
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
 * @param permissions what tokens of that key may do at most; omitted: everything
 */
export async function createAccount(
  db: Db,
  secretBox: SecretBox,
  name: string,
  { permissions = null, ...life }: KeyLife & { readonly permissions?: readonly TokenPermission[] | null } = {},
): Promise<NewAccount> {
  const id = formatId('account', v7());
  return db.transaction().execute(async (tx) => {
    await insertAccount(tx, {
      ...{ id, name },
      webhookSecretSealed: secretBox.seal(newWebhookSecret(), secretPlaces.webhookSecret(id)),
    });
    return { account: { id, name }, ...(await createKey(tx, secretBox, id, 'First key', permissions, life)) };
  });
}
