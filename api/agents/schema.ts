import { z } from 'zod';
import { AgentConfig } from '../../domain/agent-config/schema.js';
import type { AgentRow } from '../../db/queries/agents.js';

const fields = {
  agentId: z.string(),
  name: z.string(),
  status: z.enum(['inactive', 'active']).describe('Whether a version of it is deployed to the default region'),
  deploymentId: z.string().optional().describe('Live deployment of the default region; left out while inactive'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

export const Agent = z.strictObject(fields).meta({ id: 'Agent' });

const withConfig = {
  ...fields,
  versionId: z.string().describe('The version that config is of'),
  config: AgentConfig.meta({ id: 'AgentConfig' }).describe('As stored: names resolved, provider keys masked'),
};

export const AgentWithConfig = z.strictObject(withConfig).meta({ id: 'AgentWithConfig' });

export const CreatedAgent = z
  .strictObject({
    ...withConfig,
    playgroundUrl: z
      .url()
      .describe('Opens the agent in a browser and carries your API token: keep it private. Not returned again.'),
  })
  .meta({ id: 'CreatedAgent' });

export const AgentParams = z.strictObject({ agentId: z.string() });

/** Agent, as service.md has it. */
export const agentBody = (agent: AgentRow) => ({
  agentId: agent.id,
  name: agent.name,
  status: agent.status,
  ...(agent.deploymentId === null ? {} : { deploymentId: agent.deploymentId }),
  createdAt: agent.createdAt.toISOString(),
  updatedAt: agent.updatedAt.toISOString(),
});

/** AgentWithConfig: the agent as it is now, with one of its versions. */
export const agentWithConfigBody = (agent: AgentRow, versionId: string, config: AgentConfig) => ({
  ...agentBody(agent),
  versionId,
  config,
});
