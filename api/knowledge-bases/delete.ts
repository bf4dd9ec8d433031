import { agentsThatUse } from '../../db/queries/agents/references.js';
import { deleteKnowledgeBase, lockKnowledgeBase } from '../../db/queries/knowledge/knowledge-bases.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { KnowledgeBaseParams, requireKnowledgeBase } from './schema.js';

const message = 'The knowledge base has been deleted';

/** DELETE /v1/knowledge-bases/{knowledgeBaseId} */
export const removeKnowledgeBase = operation({
  name: 'knowledgeBases.delete',
  method: 'DELETE',
  url: '/v1/knowledge-bases/:knowledgeBaseId',
  family: 'agents',
  tag: 'Knowledge bases',
  schema: {
    summary: 'Delete a knowledge base',
    description:
      'With its document, its text and its passages; also while it is being processed. Refused (409) while the ' +
      'latest or a deployed version of an agent uses it.',
    params: KnowledgeBaseParams,
    response: { 200: doneWith(message) },
    errors: [409],
  },

  async handler({ params: { knowledgeBaseId }, caller }, { database: { db } }) {
    const { accountId } = caller;
    await db.transaction().execute(async (tx) => {
      const { name } = requireKnowledgeBase(await lockKnowledgeBase(tx, accountId, knowledgeBaseId));
      const agents = await agentsThatUse(tx, accountId, 'knowledgeBaseIds', [knowledgeBaseId]);
      if (agents.length > 0) throw conflict(`The knowledge base is in use by these agents: ${agents.join(', ')}`);
      await deleteKnowledgeBase(tx, accountId, knowledgeBaseId);
      await recordAudit(tx, caller, 'knowledge-base.delete', knowledgeBaseId, { name });
    });
    return { status: 200, body: { message } };
  },
});
