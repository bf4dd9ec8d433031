import type { z } from 'zod';
import type { Db } from '../../db/client.js';
import { changeFolder, findFolder, foldersWithin, lockFolderTree } from '../../db/queries/knowledge/folders.js';
import { isUniqueViolation } from '../../db/unique-violation.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { changedReadOnly } from '../patch.js';
import { invalidRequest } from '../validation.js';
import { levelUnder, wrongParent } from './place.js';
import { Folder, folderBody, folderNameTaken, FolderParams, requireFolder, UpdateFolder } from './schema.js';

/** Renames and moves; the tree is locked. */
async function change(tx: Db, accountId: string, folderId: string, body: z.output<typeof UpdateFolder>) {
  const current = requireFolder(await findFolder(tx, accountId, folderId));
  const problems = changedReadOnly(body, folderBody(current), ['folderId', 'createdAt', 'updatedAt']);
  if (problems.length > 0) throw invalidRequest(problems);
  const inside = await foldersWithin(tx, accountId, folderId);
  const within = inside.map(({ id }) => id);
  const parentId = body.parentId === undefined ? current.parent_id : body.parentId;
  if (parentId !== null && within.includes(parentId)) throw wrongParent('is the folder itself, or inside it');
  const height = Math.max(...inside.map(({ level }) => level)) - current.level + 1;
  const level = await levelUnder(tx, accountId, parentId, height);
  const place = { name: body.name ?? current.name, parentId, levels: level - current.level };
  return changeFolder(tx, accountId, within, folderId, place);
}

/** PATCH /v1/knowledge-base-folders/{folderId} */
export const patchFolder = operation({
  name: 'knowledgeBaseFolders.update',
  method: 'PATCH',
  url: '/v1/knowledge-base-folders/:folderId',
  family: 'agents',
  tag: 'Knowledge base folders',
  schema: {
    summary: 'Rename or move a folder',
    description:
      'Changes the fields that are sent. A folder moves with its content; not into itself, and not to where its ' +
      'deepest folder would be at a fourth level (400). The name must be free there (409).',
    params: FolderParams,
    body: UpdateFolder,
    response: { 200: Folder },
    errors: [409],
  },

  async handler({ params: { folderId }, body, caller }, { database: { db } }) {
    const { accountId } = caller;
    try {
      const folder = await db.transaction().execute(async (tx) => {
        await lockFolderTree(tx, accountId);
        const changed = await change(tx, accountId, folderId, body);
        const { name, parent_id: parentId } = changed;
        await recordAudit(tx, caller, 'knowledge-base-folder.update', folderId, { name, parentId });
        return changed;
      });
      return { status: 200, body: folderBody(folder) };
    } catch (error) {
      if (isUniqueViolation(error, 'knowledge_base_folders')) throw folderNameTaken(body.name ?? 'the same');
      throw error;
    }
  },
});
