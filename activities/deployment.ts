import type { Db } from '../db/client.js';
import { knownReferences, type ReferenceField } from '../db/queries/agent-references.js';
import { failDeployment, goLive, pendingDeployment } from '../db/queries/deploy-agent.js';
import { wakeGateways } from '../db/queries/wake-gateways.js';
import { resolveDefaults } from '../domain/agent-config/defaults.js';
import { deployProblems } from '../domain/agent-config/deploy-problems.js';
import type { AgentConfig } from '../domain/agent-config/schema.js';
import type { ActivityDeps } from './deps.js';

interface DeploymentRef {
  readonly accountId: string;
  readonly deploymentId: string;
}

/** An earlier version may name what was deleted since. */
async function goneProblems(db: Db, accountId: string, { tools, knowledgeBaseIds }: AgentConfig): Promise<string[]> {
  const gone = async (field: ReferenceField, ids: readonly string[] = []) => {
    const known = await knownReferences(db, accountId, field, ids);
    return ids.filter((id) => !known.has(id));
  };
  const ids = [...(await gone('tools', tools)), ...(await gone('knowledgeBaseIds', knowledgeBaseIds))];
  return ids.length === 0 ? [] : [`The version uses what has been deleted: ${ids.join(', ')}.`];
}

/** What the workflow that deploys an agent can cause. */
export const deploymentActivities = ({ database: { db }, deploy }: ActivityDeps) => ({
  /** @returns whether the version can go live; where it cannot, the deployment says why */
  async checkDeployment({ accountId, deploymentId }: DeploymentRef): Promise<boolean> {
    const pending = await pendingDeployment(db, accountId, deploymentId);
    if (pending === null) return false;
    const { region, hasActiveKey } = pending;
    // Only a config that was validated is ever stored.
    const config = pending.config as AgentConfig;
    const problems = [
      ...deployProblems(resolveDefaults(config, deploy.modelDefaults), {
        serviceKeys: deploy.serviceKeys,
        hasActiveKey,
        simulated: deploy.simulated,
        region,
        regionServed: await deploy.isRegionServed(region),
      }),
      ...(await goneProblems(db, accountId, config)),
    ];
    if (problems.length === 0) return true;
    await failDeployment(db, accountId, deploymentId, problems.join(' '));
    return false;
  },

  async goLive({ accountId, deploymentId }: DeploymentRef): Promise<void> {
    const { defaultRegion, modelDefaults } = deploy;
    await wakeGateways(db, await goLive(db, { accountId, deploymentId, defaultRegion, defaults: modelDefaults }));
  },
});
