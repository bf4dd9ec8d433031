import { z } from 'zod';
import { notFound } from '../../domain/errors.js';
import { findAgent, findVersionConfig } from '../../db/queries/agents/agents.js';
import { operation } from '../operation.js';
import { storedConfig } from './config.js';
import { AgentParams, AgentWithConfig, agentWithConfigBody } from './schema.js';

/** GET /v1/agents/{agentId} */
export const getAgent = operation({
  name: 'agents.get',
  method: 'GET',
  url: '/v1/agents/:agentId',
  family: 'agents',
  tag: 'Agents',
  schema: {
    summary: 'Get an agent with its config',
    description: 'The config is that of the latest version, which may not be the live one, or of `versionId`.',
    params: AgentParams,
    query: z.object({ versionId: z.string().optional().describe('One of the versions of this agent') }),
    response: { 200: AgentWithConfig },
  },

  async handler({ params: { agentId }, query, caller: { accountId } }, { database: { db } }) {
    const agent = await findAgent(db, accountId, agentId);
    if (agent === null) throw notFound('Agent not found');
    const versionId = query.versionId ?? agent.latestVersionId;
    const config = await findVersionConfig(db, { accountId, agentId, versionId });
    if (config === null) throw notFound('Version not found');
    return { status: 200, body: agentWithConfigBody(agent, versionId, storedConfig(config)) };
  },
});
