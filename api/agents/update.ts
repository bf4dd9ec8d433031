import { v7 as uuidv7 } from 'uuid';
import { AgentConfigUpdate, validateAgentUpdate } from '../../domain/agent-config/validate.js';
import { notFound } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { addVersion, findAgent } from '../../db/queries/agents/agents.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { configContext, newVersion, requireValid } from './config.js';
import { lockNamedInConfig } from './references.js';
import { AgentParams, AgentWithConfig, agentWithConfigBody } from './schema.js';

/**
 * PUT /v1/agents/{agentId}
 *
 * Replaces the config as a whole and stores it as a new version. What is deployed goes on as it is.
 */
export const updateAgent = operation({
  name: 'agents.update',
  method: 'PUT',
  url: '/v1/agents/:agentId',
  family: 'agents',
  tag: 'Agents',
  schema: {
    summary: 'Update an agent',
    description:
      'Replaces the whole config, so that what is omitted is dropped, and saves it as a new version. The running agent ' +
      'is unchanged until the version is deployed. Provider keys have to be sent in full each time.',
    params: AgentParams,
    documentedBody: { contentType: 'application/json', schema: AgentConfigUpdate },
    response: { 200: AgentWithConfig },
  },

  async handler({ params: { agentId }, caller, raw }, deps) {
    const { accountId } = caller;
    const { db } = deps.database;
    if ((await findAgent(db, accountId, agentId)) === null) throw notFound('Agent not found');
    const { versionName, ...valid } = requireValid(
      validateAgentUpdate(raw.body, await configContext(deps, accountId, raw.body)),
    );
    const versionId = formatId('version', uuidv7());
    const version = newVersion(deps, { accountId, versionId, versionName }, valid);
    const agent = await db.transaction().execute(async (tx) => {
      await lockNamedInConfig(tx, accountId, valid.config);
      const updated = await addVersion(tx, { accountId, agentId, name: valid.config.name }, version);
      if (updated !== null) await recordAudit(tx, caller, 'agent.update', agentId, { versionId });
      return updated;
    });
    if (agent === null) throw notFound('Agent not found');
    return { status: 200, body: agentWithConfigBody(agent, versionId, valid.config) };
  },
});
