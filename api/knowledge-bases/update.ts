import {
  findKnowledgeBase,
  lockKnowledgeBase,
  updateKnowledgeBase,
} from '../../db/queries/knowledge/knowledge-bases.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { changedReadOnly } from '../patch.js';
import { invalidRequest } from '../validation.js';
import { requireFolderOf } from './folder.js';
import {
  KnowledgeBase,
  knowledgeBaseBody,
  KnowledgeBaseParams,
  readOnlyFields,
  requireKnowledgeBase,
  UpdateKnowledgeBase,
} from './schema.js';

/** PATCH /v1/knowledge-bases/{knowledgeBaseId} */
export const patchKnowledgeBase = operation({
  name: 'knowledgeBases.update',
  method: 'PATCH',
  url: '/v1/knowledge-bases/:knowledgeBaseId',
  family: 'agents',
  tag: 'Knowledge bases',
  schema: {
    summary: 'Rename or move a knowledge base',
    description: 'Its content cannot change: create another and have agents use that.',
    params: KnowledgeBaseParams,
    body: UpdateKnowledgeBase,
    response: { 200: KnowledgeBase },
  },

  async handler({ params: { knowledgeBaseId }, body, caller }, { database: { db } }) {
    const { accountId } = caller;
    const { name, folderId } = body;
    const row = await db.transaction().execute(async (tx) => {
      requireKnowledgeBase(await findKnowledgeBase(tx, accountId, knowledgeBaseId));
      // The folder first, as deleting a folder does: it waits for what is in it.
      if (typeof folderId === 'string') await requireFolderOf(tx, accountId, folderId);
      const current = requireKnowledgeBase(await lockKnowledgeBase(tx, accountId, knowledgeBaseId));
      const problems = changedReadOnly(body, knowledgeBaseBody(current), readOnlyFields);
      if (problems.length > 0) throw invalidRequest(problems);
      await updateKnowledgeBase(tx, accountId, knowledgeBaseId, {
        ...(name === undefined ? {} : { name }),
        ...(folderId === undefined ? {} : { folder_id: folderId }),
      });
      await recordAudit(tx, caller, 'knowledge-base.update', knowledgeBaseId, { name, folderId });
      return requireKnowledgeBase(await findKnowledgeBase(tx, accountId, knowledgeBaseId));
    });
    return { status: 200, body: knowledgeBaseBody(row) };
  },
});
