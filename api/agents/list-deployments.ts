import { z } from 'zod';
import { notFound } from '../../domain/errors.js';
import { findAgent } from '../../db/queries/agents/agents.js';
import { listDeployments } from '../../db/queries/agents/deployments.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { Deployment, deploymentBody } from './deployment-schema.js';
import { AgentParams } from './schema.js';

/** GET /v1/agents/{agentId}/deployments */
export const listAgentDeployments = operation({
  name: 'agents.listDeployments',
  method: 'GET',
  url: '/v1/agents/:agentId/deployments',
  family: 'agents',
  tag: 'Agents',
  schema: {
    summary: 'List the deployments of an agent, newest first',
    description:
      'In the order in which the deploys were accepted, including the one made by creating the agent. The `reason` ' +
      'of the newest says why an agent is inactive.',
    params: AgentParams,
    query: z.object(pageQuery),
    response: { 200: pageOf(Deployment) },
  },

  async handler({ params: { agentId }, query, caller: { accountId } }, { database: { db } }) {
    if ((await findAgent(db, accountId, agentId)) === null) throw notFound('Agent not found');
    const { total, deployments } = await listDeployments(db, accountId, agentId, rowsOfPage(query));
    return { status: 200, body: pageBody(query, total, deployments.map(deploymentBody)) };
  },
});
