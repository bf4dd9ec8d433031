import { z } from 'zod';
import type { Db } from '../../db/client.js';
import { agentsThatUse } from '../../db/queries/agents/references.js';
import {
  deleteFolders,
  findFolder,
  foldersWithin,
  lockFolderContents,
  lockFolderTree,
} from '../../db/queries/knowledge/folders.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { FolderParams, requireFolder } from './schema.js';

const message = 'The folder has been deleted';

/** @returns what else was deleted */
async function remove(tx: Db, accountId: string, folderId: string, recursive: boolean) {
  requireFolder(await findFolder(tx, accountId, folderId));
  const within = (await foldersWithin(tx, accountId, folderId)).map(({ id }) => id);
  const knowledgeBases = await lockFolderContents(tx, accountId, within);
  const folders = within.length - 1;
  if (!recursive && folders + knowledgeBases.length > 0) {
    throw conflict(
      `The folder is not empty: it holds ${folders} folders and ${knowledgeBases.length} knowledge bases. ` +
        'With recursive=true they are deleted too.',
    );
  }
  const agents = await agentsThatUse(tx, accountId, 'knowledgeBaseIds', knowledgeBases);
  if (agents.length > 0) {
    throw conflict(`Knowledge bases in the folder are in use by these agents: ${agents.join(', ')}`);
  }
  await deleteFolders(tx, accountId, within);
  return { folders, knowledgeBases: knowledgeBases.length };
}

/** DELETE /v1/knowledge-base-folders/{folderId} */
export const removeFolder = operation({
  name: 'knowledgeBaseFolders.delete',
  method: 'DELETE',
  url: '/v1/knowledge-base-folders/:folderId',
  family: 'agents',
  tag: 'Knowledge base folders',
  schema: {
    summary: 'Delete a folder',
    description:
      'Refused (409) while anything is in it. With `recursive=true` its content is deleted too, all or nothing: ' +
      'refused (409) if the latest or a deployed version of an agent uses a knowledge base in it.',
    params: FolderParams,
    query: z.object({
      recursive: z
        .enum(['true', 'false'])
        .default('false')
        .transform((value) => value === 'true')
        .describe('Whether folders and knowledge bases in it are deleted as well'),
    }),
    response: { 200: doneWith(message) },
    errors: [409],
  },

  async handler({ params: { folderId }, query: { recursive }, caller }, { database: { db } }) {
    await db.transaction().execute(async (tx) => {
      await lockFolderTree(tx, caller.accountId);
      const more = await remove(tx, caller.accountId, folderId, recursive);
      await recordAudit(tx, caller, 'knowledge-base-folder.delete', folderId, more);
    });
    return { status: 200, body: { message } };
  },
});
