import { z } from 'zod';
import { notFound } from '../../domain/errors.js';
import { findAgent } from '../../db/queries/agents/agents.js';
import { findDeployment } from '../../db/queries/agents/deployments.js';
import { operation } from '../operation.js';
import { Deployment, deploymentBody } from './deployment-schema.js';
import { AgentParams } from './schema.js';

/** GET /v1/agents/{agentId}/deployments/{deploymentId} */
export const getAgentDeployment = operation({
  name: 'agents.getDeployment',
  method: 'GET',
  url: '/v1/agents/:agentId/deployments/:deploymentId',
  family: 'agents',
  tag: 'Agents',
  schema: {
    summary: 'Get a deployment of an agent',
    description: 'Ask again while it is `pending`: it goes live or says why not within seconds.',
    params: AgentParams.extend({ deploymentId: z.string().describe('One of the deployments of this agent, `dep_…`') }),
    response: { 200: Deployment },
  },

  async handler({ params: { agentId, deploymentId }, caller: { accountId } }, { database: { db } }) {
    if ((await findAgent(db, accountId, agentId)) === null) throw notFound('Agent not found');
    const deployment = await findDeployment(db, accountId, agentId, deploymentId);
    if (deployment === null) throw notFound('Deployment not found');
    return { status: 200, body: deploymentBody(deployment) };
  },
});
