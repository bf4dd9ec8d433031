import { v7 as uuidv7 } from 'uuid';
import { AgentConfig } from '../../domain/agent-config/schema.js';
import { validateAgentConfig } from '../../domain/agent-config/validate.js';
import { formatId } from '../../domain/ids.js';
import { type AgentRow, findAgent, insertAgent } from '../../db/queries/agents/agents.js';
import { insertDeployment } from '../../db/queries/agents/deployments.js';
import { addToOutbox } from '../../db/queries/outbox.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { publicUrl } from '../public-url.js';
import { configContext, newVersion, requireValid } from './config.js';
import { awaitDeployment } from './first-deploy.js';
import { lockNamedInConfig } from './references.js';
import { agentWithConfigBody, CreatedAgent } from './schema.js';

/**
 * POST /v1/agents
 *
 * The first deploy is accepted with the agent, in one transaction, so that it happens even if this process dies;
 * waiting for it is a courtesy.
 */
export const createAgent = operation({
  name: 'agents.create',
  method: 'POST',
  url: '/v1/agents',
  family: 'agents',
  tag: 'Agents',
  idempotent: true,
  schema: {
    summary: 'Create an agent',
    description:
      'Stores the agent with its first version and deploys it to the default region. The whole config is checked first and ' +
      'everything wrong with it is answered at once. If the deploy cannot run, or takes over five seconds, the agent is ' +
      '`inactive` and has no deploymentId; its deployments say why.',
    documentedBody: { contentType: 'application/json', schema: AgentConfig },
    response: { 201: CreatedAgent },
  },

  async handler(request, deps) {
    const { caller, raw } = request;
    const { accountId } = caller;
    const agentId = formatId('agent', uuidv7());
    const versionId = formatId('version', uuidv7());
    const deploymentId = formatId('deployment', uuidv7());
    const [region = 'default'] = deps.env.OUTDIAL_REGIONS;
    // In the fragment, which browsers send to no server: neither a log nor a Referer shows the token.
    const playgroundUrl = `${publicUrl(deps.env, raw)}/playground/${agentId}#token=${caller.token}`;
    const created = (agent: AgentRow, config: AgentConfig) => ({
      status: 201 as const,
      body: { ...agentWithConfigBody(agent, versionId, config), playgroundUrl },
    });

    return withIdempotency(
      request,
      deps,
      raw.body,
      async (tx) => {
        // Judged in here, so that a key's first answer is repeated also when what the config names has been deleted since.
        const context = await configContext(deps, accountId, raw.body, tx);
        const valid = requireValid(validateAgentConfig(raw.body, context));
        const version = newVersion(deps, { accountId, versionId, versionName: 'Created via API' }, valid);
        await lockNamedInConfig(tx, accountId, valid.config);
        const agent = await insertAgent(tx, { accountId, agentId, name: valid.config.name }, version);
        await insertDeployment(tx, { deploymentId, accountId, agentId, versionId, region });
        await addToOutbox(tx, { kind: 'start', name: 'deployAgent', input: { accountId, deploymentId } });
        await recordAudit(tx, caller, 'agent.create', agentId, { versionId, deploymentId });
        return created(agent, valid.config);
      },
      async (inactive) => {
        deps.temporal.kick();
        await awaitDeployment(deps, accountId, deploymentId);
        const agent = await findAgent(deps.database.db, accountId, agentId);
        return agent === null ? inactive : created(agent, inactive.body.config);
      },
    );
  },
});
