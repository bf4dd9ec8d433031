import { findKnowledgeBase } from '../../db/queries/knowledge/knowledge-bases.js';
import { operation } from '../operation.js';
import { KnowledgeBase, knowledgeBaseBody, KnowledgeBaseParams, requireKnowledgeBase } from './schema.js';

/** GET /v1/knowledge-bases/{knowledgeBaseId} */
export const getKnowledgeBase = operation({
  name: 'knowledgeBases.get',
  method: 'GET',
  url: '/v1/knowledge-bases/:knowledgeBaseId',
  family: 'agents',
  tag: 'Knowledge bases',
  schema: {
    summary: 'Get a knowledge base',
    description: 'Poll it to follow the processing. Its text is at `/content`.',
    params: KnowledgeBaseParams,
    response: { 200: KnowledgeBase },
  },

  async handler({ params: { knowledgeBaseId }, caller: { accountId } }, { database: { db } }) {
    const row = requireKnowledgeBase(await findKnowledgeBase(db, accountId, knowledgeBaseId));
    return { status: 200, body: knowledgeBaseBody(row) };
  },
});
