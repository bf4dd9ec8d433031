import { z } from 'zod';
import { listAgents } from '../../db/queries/agents/agents.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { Agent, agentBody } from './schema.js';

/** GET /v1/agents */
export const listAgentsOfAccount = operation({
  name: 'agents.list',
  method: 'GET',
  url: '/v1/agents',
  family: 'agents',
  tag: 'Agents',
  schema: {
    summary: 'List agents',
    description: 'Newest first, without their configs.',
    query: z.object({
      ...pageQuery,
      search: z.string().optional().describe('Part of the name, in any casing'),
      status: z.enum(['inactive', 'active']).optional().describe('Only those that are'),
    }),
    response: { 200: pageOf(Agent) },
  },

  async handler({ query, caller }, { database }) {
    const { total, agents } = await listAgents(database.db, caller.accountId, query, rowsOfPage(query));
    return { status: 200, body: pageBody(query, total, agents.map(agentBody)) };
  },
});
