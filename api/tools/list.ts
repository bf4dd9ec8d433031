import { z } from 'zod';
import { listTools } from '../../db/queries/agents/tools.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { Tool, toolBody } from './schema.js';

/** GET /v1/tools */
export const listToolsOfAccount = operation({
  name: 'tools.list',
  method: 'GET',
  url: '/v1/tools',
  family: 'agents',
  tag: 'Tools',
  schema: {
    summary: 'List tools',
    description: 'Newest first.',
    query: z.object({
      ...pageQuery,
      search: z.string().max(256).optional().describe('Part of the name or the description, in any casing'),
    }),
    response: { 200: pageOf(Tool) },
  },

  async handler({ query, caller }, { database }) {
    const { total, tools } = await listTools(database.db, caller.accountId, query, rowsOfPage(query));
    return { status: 200, body: pageBody(query, total, tools.map(toolBody)) };
  },
});
