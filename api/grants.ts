import type { Db } from '../db/client.js';
import { ungrantedOf } from '../db/queries/accounts/grants.js';
import { forbidden } from '../domain/errors.js';
import { type Ungranted, ungrantedWords, type WantedGrants } from '../domain/account/grants.js';

/** @throws Failure `forbidden` that names all that the account has not been granted */
export function refuseUngranted(ungranted: Ungranted): void {
  const words = ungrantedWords(ungranted);
  if (words !== null) throw forbidden(words);
}

/**
 * Call it before anything is looked up about a number: the answer must not depend on which account has it.
 *
 * @throws Failure `forbidden` that names all that the account has not been granted, if the operator asks for grants
 */
export async function requireGrants(tx: Db, accountId: string, wanted: WantedGrants): Promise<void> {
  refuseUngranted(await ungrantedOf(tx, accountId, wanted));
}
