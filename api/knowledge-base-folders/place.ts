import type { Db } from '../../db/client.js';
import { findFolder } from '../../db/queries/knowledge/folders.js';
import { mostFolderLevels } from '../../domain/knowledge/folder.js';
import { invalidRequest } from '../validation.js';

/** A problem of the parent that was asked for. */
export const wrongParent = (message: string) => invalidRequest([{ path: 'parentId', code: 'INVALID_VALUE', message }]);

/**
 * The level that a folder gets in a place. The tree is locked.
 *
 * @param height levels that the folder takes with it, 1 for an empty one
 * @throws Failure `invalid` if there is no such parent, or the levels do not suffice
 */
export async function levelUnder(tx: Db, accountId: string, parentId: string | null, height = 1): Promise<number> {
  if (parentId === null) return 1;
  const parent = await findFolder(tx, accountId, parentId);
  if (parent === null) throw wrongParent('is not a folder of this account');
  if (parent.level + height > mostFolderLevels) {
    throw wrongParent(`is too deep: folders have at most ${mostFolderLevels} levels`);
  }
  return parent.level + 1;
}
