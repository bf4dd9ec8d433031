import { z } from 'zod';
import { findContent, findKnowledgeBase } from '../../db/queries/knowledge/knowledge-bases.js';
import { operation } from '../operation.js';
import { KnowledgeBaseParams, requireKnowledgeBase, requireReady } from './schema.js';

const Content = z
  .strictObject({
    knowledgeBaseId: z.string().describe('`kb_…`'),
    content: z.string().describe('The whole text, without the layout of the document'),
  })
  .meta({
    id: 'KnowledgeBaseContent',
    examples: [
      {
        knowledgeBaseId: 'kb_01939a84-2c6d-7e10-8f3b-1a2b3c4d5e6f',
        content: 'Returns\n\nOrders can be returned within 30 days of delivery.',
      },
    ],
  });

/** GET /v1/knowledge-bases/{knowledgeBaseId}/content */
export const getContent = operation({
  name: 'knowledgeBases.getContent',
  method: 'GET',
  url: '/v1/knowledge-bases/:knowledgeBaseId/content',
  family: 'agents',
  tag: 'Knowledge bases',
  schema: {
    summary: 'Get the text of a knowledge base',
    description: 'The text found in the document. 409 while it is being processed, or if that failed.',
    params: KnowledgeBaseParams,
    response: { 200: Content },
    errors: [409],
  },

  async handler({ params: { knowledgeBaseId }, caller: { accountId } }, { database: { db } }) {
    requireReady(requireKnowledgeBase(await findKnowledgeBase(db, accountId, knowledgeBaseId)));
    const content = (await findContent(db, accountId, knowledgeBaseId)) ?? '';
    return { status: 200, body: { knowledgeBaseId, content } };
  },
});
