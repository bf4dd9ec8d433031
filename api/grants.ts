import type { Db } from '../db/client.js';
import { ungrantedOf } from '../db/queries/accounts/grants.js';
import { refuseUngranted, type WantedGrants } from '../domain/account/grants.js';

/**
 * Call it before anything is looked up about a number: the answer must not depend on which account has it.
 *
 * @throws Failure `forbidden` that names all that the account has not been granted, if the operator asks for grants
 */
export async function requireGrants(tx: Db, accountId: string, wanted: WantedGrants): Promise<void> {
  refuseUngranted(await ungrantedOf(tx, accountId, wanted));
}
