import { v7 as uuid } from 'uuid';
import type { Db } from '../db/client.js';
import { formatId } from '../domain/ids.js';

export interface LiveAgent {
  readonly agentId: string;
  readonly versionId: string;
  readonly deploymentId: string;
}

/** Ids for an agent, its version and its deployment. */
export const liveAgentIds = (): LiveAgent => ({
  agentId: formatId('agent', uuid()),
  versionId: formatId('version', uuid()),
  deploymentId: formatId('deployment', uuid()),
});

/** Stores an account as benchmarks and tests need one. No webhook can be signed with its secret. */
export async function insertAccount(db: Db, accountId: string, name: string): Promise<void> {
  await db.insertInto('accounts').values({ id: accountId, name, webhook_secret_sealed: 'sealed' }).execute();
}

/** Stores an agent with a version that is live: rows only, no workflow. */
export async function insertLiveAgent(
  db: Db,
  accountId: string,
  ids: LiveAgent = liveAgentIds(),
  config: object = {},
): Promise<LiveAgent> {
  const { agentId, versionId, deploymentId } = ids;
  const ofAgent = { account_id: accountId, agent_id: agentId };
  await db
    .insertInto('agents')
    .values({
      ...{ id: agentId, account_id: accountId, name: 'Agent', status: 'active' },
      ...{ latest_version_id: versionId, deployment_id: deploymentId },
    })
    .execute();
  await db
    .insertInto('agent_versions')
    .values({ id: versionId, ...ofAgent, number: 1, name: 'First', config: JSON.stringify(config) })
    .execute();
  await db
    .insertInto('deployments')
    .values({ id: deploymentId, ...ofAgent, version_id: versionId, region: 'default', status: 'live' })
    .execute();
  return ids;
}
