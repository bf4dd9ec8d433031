import { findFolder } from '../../db/queries/knowledge/folders.js';
import { operation } from '../operation.js';
import { Folder, folderBody, FolderParams, requireFolder } from './schema.js';

/** GET /v1/knowledge-base-folders/{folderId} */
export const getFolder = operation({
  name: 'knowledgeBaseFolders.get',
  method: 'GET',
  url: '/v1/knowledge-base-folders/:folderId',
  family: 'agents',
  tag: 'Knowledge base folders',
  schema: {
    summary: 'Get a folder',
    description: '`parentId` of the list of folders, and `folderId` of that of knowledge bases, list its content.',
    params: FolderParams,
    response: { 200: Folder },
  },

  async handler({ params: { folderId }, caller: { accountId } }, { database: { db } }) {
    return { status: 200, body: folderBody(requireFolder(await findFolder(db, accountId, folderId))) };
  },
});
