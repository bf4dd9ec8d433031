import type { Db } from '../../db/client.js';
import { holdFolder } from '../../db/queries/knowledge/folders.js';
import { invalidRequest } from '../validation.js';

/**
 * The folder stays until the transaction has ended.
 *
 * @throws Failure `invalid` if the account has no such folder
 */
export async function requireFolderOf(tx: Db, accountId: string, folderId: string): Promise<void> {
  if (await holdFolder(tx, accountId, folderId)) return;
  throw invalidRequest([{ path: 'folderId', code: 'INVALID_VALUE', message: 'is not a folder of this account' }]);
}
