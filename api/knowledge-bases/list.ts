import { z } from 'zod';
import { listKnowledgeBases } from '../../db/queries/knowledge/knowledge-bases.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { KnowledgeBase, knowledgeBaseBody } from './schema.js';

/** GET /v1/knowledge-bases */
export const listKnowledgeBasesOfAccount = operation({
  name: 'knowledgeBases.list',
  method: 'GET',
  url: '/v1/knowledge-bases',
  family: 'agents',
  tag: 'Knowledge bases',
  schema: {
    summary: 'List knowledge bases',
    description: 'Newest first, of all folders unless `folderId` says which.',
    query: z.object({
      ...pageQuery,
      search: z.string().max(256).optional().describe('Part of the name, in any casing'),
      folderId: z.string().optional().describe('Only those directly in this folder; `root`: those in none'),
    }),
    response: { 200: pageOf(KnowledgeBase) },
  },

  async handler({ query, caller }, { database }) {
    const { total, knowledgeBases } = await listKnowledgeBases(database.db, caller.accountId, query, rowsOfPage(query));
    return { status: 200, body: pageBody(query, total, knowledgeBases.map(knowledgeBaseBody)) };
  },
});
