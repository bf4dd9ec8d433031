import { z } from 'zod';
import { AgentConfig } from '../../domain/agent-config/schema.js';
import type { AgentRow } from '../../db/queries/agents/agents.js';
import { instant } from '../fields.js';

const fields = {
  agentId: z.string().describe('Id of the agent, `agt_…`'),
  name: z.string().describe('As in its latest config'),
  status: z.enum(['inactive', 'active']).describe('Whether a version of it is deployed to the default region'),
  deploymentId: z.string().optional().describe('Live deployment of the default region; omitted while inactive'),
  createdAt: instant().describe('When the agent was created'),
  updatedAt: instant().describe('When it was last updated or deployed'),
};

const example = {
  agentId: 'agt_0198f6f0-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  name: 'Appointment reminders',
  status: 'active',
  deploymentId: 'dep_0198f6f0-1a2d-7bb1-9c3e-1f2a3b4c5d6e',
  createdAt: '2026-03-02T09:14:05.120Z',
  updatedAt: '2026-03-02T09:14:06.480Z',
};

export const Agent = z.strictObject(fields).meta({ id: 'Agent', examples: [example] });

/** A config in an answer. */
export const StoredConfig = AgentConfig.describe('As stored: names resolved, provider keys masked');

const withConfig = {
  ...fields,
  versionId: z.string().describe('The version that config is of'),
  config: StoredConfig,
};

const exampleWithConfig = {
  ...example,
  versionId: 'ver_0198f6f0-1a2c-7a90-8d1e-6b7c8d9e0f1a',
  config: {
    name: 'Appointment reminders',
    languages: { english: { prompt: 'Remind {{first_name}} of the appointment on {{appointment_date}}.' } },
  },
};

export const AgentWithConfig = z
  .strictObject(withConfig)
  .meta({ id: 'AgentWithConfig', examples: [exampleWithConfig] });

export const CreatedAgent = z
  .strictObject({
    ...withConfig,
    playgroundUrl: z
      .url()
      .describe('Opens the agent in a browser and carries your API token: keep it private. Not returned again.'),
  })
  .meta({
    id: 'CreatedAgent',
    examples: [
      {
        ...exampleWithConfig,
        playgroundUrl: `https://calls.example.com/playground/${example.agentId}#token=eyJhbGciOiJIUzI1NiJ9.e30.c2ln`,
      },
    ],
  });

export const AgentParams = z.strictObject({ agentId: z.string().describe('Id of the agent, `agt_…`') });

/** Agent, as docs/api.md has it. */
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
