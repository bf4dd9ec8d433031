import type { Db } from '../db/client.js';
import { ungrantedOf } from '../db/queries/grants.js';
import { forbidden } from '../domain/errors.js';
import { type Granted, type Ungranted, ungrantedWords } from '../domain/grants.js';

/** @throws Failure `forbidden` that names all that the account has not been granted */
export function refuseUngranted(ungranted: Ungranted): void {
  const words = ungrantedWords(ungranted);
  if (words !== null) throw forbidden(words);
}

/**
 * Asked before anything is looked up about a number, so that the answer is the same whoever has it.
 *
 * @throws Failure `forbidden` that names all that the account has not been granted, if the operator asks for grants
 */
export async function requireGrants(
  tx: Db,
  accountId: string,
  wanted: Granted & { readonly headers?: Readonly<Record<string, string>> },
): Promise<void> {
  refuseUngranted(await ungrantedOf(tx, accountId, wanted));
}
