import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../db/client.js';
import { knownReferences, type ReferenceField } from '../db/queries/agents/references.js';
import { failDeployment, goLive, pendingDeployment } from '../db/queries/agents/deploy.js';
import { wakeGateways } from '../db/queries/dialer/wake-gateways.js';
import { resolveDefaults } from '../domain/agent-config/defaults.js';
import { deployProblems, modelsToAsk, type RegionService } from '../domain/agent-config/deploy-problems.js';
import type { AgentConfig } from '../domain/agent-config/schema.js';
import { withHeartbeat } from './heartbeat.js';
import type { ActivityDeps, DeploySettings } from './deps.js';
import { refusedModels } from './model-check.js';

interface DeploymentRef {
  readonly accountId: string;
  readonly deploymentId: string;
}

/** A version may name tools and knowledge bases that were deleted since. */
async function goneProblems(db: Db, accountId: string, { tools, knowledgeBaseIds }: AgentConfig): Promise<string[]> {
  const gone = async (field: ReferenceField, ids: readonly string[] = []) => {
    const known = await knownReferences(db, accountId, field, ids);
    return ids.filter((id) => !known.has(id));
  };
  const ids = [...(await gone('tools', tools)), ...(await gone('knowledgeBaseIds', knowledgeBaseIds))];
  return ids.length === 0 ? [] : [`The version uses what has been deleted: ${ids.join(', ')}.`];
}

const lookEveryMs = 500;
const defaultPatienceMs = 60_000;

/** Waits until an agent worker of the region takes calls, no longer than the patience of a deploy. */
const agentsInTime = (region: string, { agentsOf, workerPatienceMs = defaultPatienceMs }: DeploySettings) =>
  withHeartbeat(async (signal) => {
    const untilMs = Date.now() + workerPatienceMs;
    for (;;) {
      const agents = await agentsOf(region);
      if (agents === 'served' || Date.now() >= untilMs) return agents;
      await pause(lookEveryMs, undefined, { signal });
    }
  });

/** Activities of the workflow that deploys an agent. */
export const deploymentActivities = ({ database: { db }, deploy, ...deps }: ActivityDeps) => ({
  /**
   * Asks the models whether they would answer, unless the service is told not to. Waits for an agent worker of the
   * region if nothing else is wrong: a worker that restarts must not fail a deploy.
   *
   * @returns whether the version can go live; if it cannot, the deployment says why
   */
  async checkDeployment({ accountId, deploymentId }: DeploymentRef): Promise<boolean> {
    const pending = await pendingDeployment(db, accountId, deploymentId);
    if (pending === null) return false;
    const { region, hasActiveKey, versionId, sealedKeys } = pending;
    const { simulated, asksModels, serviceKeys, customKinds } = deploy;
    // Only a config that was validated is ever stored.
    const config = pending.config as AgentConfig;
    const resolved = resolveDefaults(config, deploy.modelDefaults);
    const gone = await goneProblems(db, accountId, config);
    const problemsIf = (agents: RegionService): string[] => [
      ...deployProblems(resolved, { serviceKeys, customKinds, hasActiveKey, simulated, region, agents }),
      ...gone,
    ];
    const models = simulated || !asksModels ? [] : modelsToAsk(resolved);
    const refused = await refusedModels(deps, { accountId, versionId, models, sealedKeys });
    const canWait = !simulated && problemsIf('served').length === 0 && refused.length === 0;
    const agents = canWait ? await agentsInTime(region, deploy) : await deploy.agentsOf(region);
    const problems = [...problemsIf(agents), ...refused];
    if (problems.length === 0) return true;
    await failDeployment(db, accountId, deploymentId, problems.join(' '));
    return false;
  },

  async goLive({ accountId, deploymentId }: DeploymentRef): Promise<void> {
    const { defaultRegion, modelDefaults } = deploy;
    await wakeGateways(db, await goLive(db, { accountId, deploymentId, defaultRegion, defaults: modelDefaults }));
  },
});
