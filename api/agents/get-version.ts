import { z } from 'zod';
import { notFound } from '../../domain/errors.js';
import { findAgent } from '../../db/queries/agents/agents.js';
import { findVersion } from '../../db/queries/agents/versions.js';
import { operation } from '../operation.js';
import { storedConfig } from './config.js';
import { AgentParams } from './schema.js';
import { AgentVersionWithConfig, versionBody } from './version-schema.js';

/** GET /v1/agents/{agentId}/versions/{versionId} */
export const getAgentVersion = operation({
  name: 'agents.getVersion',
  method: 'GET',
  url: '/v1/agents/:agentId/versions/:versionId',
  family: 'agents',
  tag: 'Agents',
  schema: {
    summary: 'Get a version of an agent with its config',
    description: 'The config is as it was saved. To go back to it, deploy the version, or send it as an update.',
    params: AgentParams.extend({ versionId: z.string().describe('One of the versions of this agent, `ver_…`') }),
    response: { 200: AgentVersionWithConfig },
  },

  async handler({ params: { agentId, versionId }, caller: { accountId } }, { database: { db } }) {
    if ((await findAgent(db, accountId, agentId)) === null) throw notFound('Agent not found');
    const version = await findVersion(db, { accountId, agentId }, versionId);
    if (version === null) throw notFound('Version not found');
    return { status: 200, body: { ...versionBody(agentId, version), config: storedConfig(version.config) } };
  },
});
