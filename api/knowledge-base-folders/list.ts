import { z } from 'zod';
import { listFolders } from '../../db/queries/knowledge/folders.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { Folder, folderBody } from './schema.js';

/** GET /v1/knowledge-base-folders */
export const listFoldersOfAccount = operation({
  name: 'knowledgeBaseFolders.list',
  method: 'GET',
  url: '/v1/knowledge-base-folders',
  family: 'agents',
  tag: 'Knowledge base folders',
  schema: {
    summary: 'List folders',
    description: 'Newest first, of all levels unless `parentId` says which.',
    query: z.object({
      ...pageQuery,
      search: z.string().max(256).optional().describe('Part of the name, in any casing'),
      parentId: z.string().optional().describe('Only those directly in this folder; `root`: those at the top'),
    }),
    response: { 200: pageOf(Folder) },
  },

  async handler({ query, caller }, { database }) {
    const { total, folders } = await listFolders(database.db, caller.accountId, query, rowsOfPage(query));
    return { status: 200, body: pageBody(query, total, folders.map(folderBody)) };
  },
});
