import { v7 as uuidv7 } from 'uuid';
import { insertFolder, lockFolderTree } from '../../db/queries/knowledge/folders.js';
import { isUniqueViolation } from '../../db/unique-violation.js';
import { formatId } from '../../domain/ids.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { levelUnder } from './place.js';
import { CreateFolder, Folder, folderBody, folderNameTaken } from './schema.js';

/** POST /v1/knowledge-base-folders */
export const createFolder = operation({
  name: 'knowledgeBaseFolders.create',
  method: 'POST',
  url: '/v1/knowledge-base-folders',
  family: 'agents',
  tag: 'Knowledge base folders',
  idempotent: true,
  schema: {
    summary: 'Create a folder',
    description:
      'Names of folders side by side are unique and case-sensitive (409). Folders have at most three levels: one at ' +
      'the third can hold no other (400).',
    body: CreateFolder,
    response: { 201: Folder },
  },

  async handler(request, deps) {
    const { body, caller } = request;
    const { accountId } = caller;
    const parentId = body.parentId ?? null;
    try {
      return await withIdempotency(request, deps, body, async (tx) => {
        await lockFolderTree(tx, accountId);
        const level = await levelUnder(tx, accountId, parentId);
        const folder = await insertFolder(tx, {
          id: formatId('knowledgeBaseFolder', uuidv7()),
          account_id: accountId,
          name: body.name,
          parent_id: parentId,
          level,
        });
        await recordAudit(tx, caller, 'knowledge-base-folder.create', folder.id, { name: folder.name });
        return { status: 201 as const, body: folderBody(folder) };
      });
    } catch (error) {
      if (isUniqueViolation(error, 'knowledge_base_folders')) throw folderNameTaken(body.name);
      throw error;
    }
  },
});
