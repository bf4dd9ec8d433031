import { z } from 'zod';
import { notFound } from '../../domain/errors.js';
import { lockAgentForChange } from '../../db/queries/agents/delete.js';
import { findAgent } from '../../db/queries/agents/agents.js';
import { retireDeployments } from '../../db/queries/agents/deployments.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { Agent, agentBody, AgentParams } from './schema.js';

const Undeploy = z.strictObject({}).meta({ id: 'UndeployAgent', examples: [{}] });

/** POST /v1/agents/{agentId}/undeploy */
export const undeployAgent = operation({
  name: 'agents.undeploy',
  method: 'POST',
  url: '/v1/agents/:agentId/undeploy',
  family: 'agents',
  tag: 'Agents',
  schema: {
    summary: 'Take an agent out of service',
    description:
      'Retires what is live in every region, and deploys accepted before that are not live yet; a deploy accepted ' +
      'afterwards goes live. The agent is `inactive` once this is answered: calls in progress finish, new calls and ' +
      'batch calls are refused, and running batch calls are paused with `pausedReason` `agent_inactive` until it is ' +
      'deployed again. Undeploying an agent that is not deployed changes nothing.',
    params: AgentParams,
    body: Undeploy,
    response: { 200: Agent },
  },

  async handler({ params: { agentId }, caller }, { database: { db } }) {
    const { accountId } = caller;
    const agent = await db.transaction().execute(async (tx) => {
      if ((await lockAgentForChange(tx, accountId, agentId)) === null) return null;
      const retired = await retireDeployments(tx, accountId, agentId);
      if (retired.length > 0) await recordAudit(tx, caller, 'agent.undeploy', agentId, { deploymentIds: retired });
      return findAgent(tx, accountId, agentId);
    });
    if (agent === null) throw notFound('Agent not found');
    return { status: 200, body: agentBody(agent) };
  },
});
