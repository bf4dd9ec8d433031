import type { Db } from '../client.js';

export type DeploymentStatus = 'pending' | 'live' | 'retired' | 'failed';

/** Accepts a deploy: the order in which deploys are accepted decides which of them may go live. */
export async function insertDeployment(
  tx: Db,
  deployment: {
    readonly deploymentId: string;
    readonly accountId: string;
    readonly agentId: string;
    readonly versionId: string;
    readonly region: string;
  },
): Promise<void> {
  await tx
    .insertInto('deployments')
    .values({
      id: deployment.deploymentId,
      account_id: deployment.accountId,
      agent_id: deployment.agentId,
      version_id: deployment.versionId,
      region: deployment.region,
    })
    .execute();
}

/** Where a deployment stands; null where the account has no such one. */
export async function findDeploymentStatus(
  db: Db,
  accountId: string,
  deploymentId: string,
): Promise<DeploymentStatus | null> {
  const row = await db
    .selectFrom('deployments')
    .select('status')
    .where('account_id', '=', accountId)
    .where('id', '=', deploymentId)
    .executeTakeFirst();
  return row === undefined ? null : (row.status as DeploymentStatus);
}
