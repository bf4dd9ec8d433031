import { z } from 'zod';
import { searchKnowledgeBases } from '../../db/queries/knowledge/search.js';
import { findKnowledgeBase } from '../../db/queries/knowledge/knowledge-bases.js';
import { text } from '../fields.js';
import { operation } from '../operation.js';
import { KnowledgeBaseParams, requireKnowledgeBase, requireReady } from './schema.js';

const Query = z
  .strictObject({
    query: text(1000).describe('A question or words'),
    limit: z.int().min(1).max(20).default(5).describe('Most passages'),
  })
  .meta({ id: 'QueryKnowledgeBase', examples: [{ query: 'How long can I return an order?', limit: 3 }] });

const Passages = z
  .strictObject({
    data: z
      .array(
        z.strictObject({
          text: z.string().describe('The passage'),
          score: z.number().describe('How well it fits, above 0 and below 1; comparable within one answer'),
          position: z.int().describe('Place in the document, from 0'),
        }),
      )
      .describe('The best first'),
  })
  .meta({
    id: 'Passages',
    examples: [{ data: [{ text: 'Orders can be returned within 30 days of delivery.', score: 0.17, position: 0 }] }],
  });

/** POST /v1/knowledge-bases/{knowledgeBaseId}/query */
export const queryKnowledgeBase = operation({
  name: 'knowledgeBases.query',
  method: 'POST',
  url: '/v1/knowledge-bases/:knowledgeBaseId/query',
  family: 'agents',
  tag: 'Knowledge bases',
  schema: {
    summary: 'Find passages in a knowledge base',
    description:
      'Finds what an agent would find. Words are reduced to their stems in the language of the document; words in ' +
      'quotation marks must follow each other, `or` stands between alternatives, `-` excludes. If no passage has ' +
      'all the words, passages with any of them are found. 409 until it is ready.',
    params: KnowledgeBaseParams,
    body: Query,
    response: { 200: Passages },
    errors: [409],
  },

  async handler({ params: { knowledgeBaseId }, body: { query, limit }, caller: { accountId } }, { database: { db } }) {
    requireReady(requireKnowledgeBase(await findKnowledgeBase(db, accountId, knowledgeBaseId)));
    const found = await searchKnowledgeBases(db, accountId, [knowledgeBaseId], query, limit);
    const data = found.map(({ text: passage, score, position }) => ({ text: passage, score, position }));
    return { status: 200, body: { data } };
  },
});
