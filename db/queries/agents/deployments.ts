import { sql, type Selectable } from 'kysely';
import type { Db } from '../../client.js';
import type { Deployments } from '../../types.js';

export const deploymentStatuses = ['pending', 'live', 'retired', 'failed'] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];

export interface DeploymentRow {
  readonly id: string;
  readonly agentId: string;
  readonly versionId: string;
  readonly region: string;
  readonly status: DeploymentStatus;
  /** Why it failed or was retired; null while it is pending or live. */
  readonly reason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const deploymentOf = (row: Selectable<Deployments>): DeploymentRow => ({
  id: row.id,
  agentId: row.agent_id,
  versionId: row.version_id,
  region: row.region,
  status: row.status as DeploymentStatus,
  reason: row.reason,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

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
): Promise<DeploymentRow> {
  const row = await tx
    .insertInto('deployments')
    .values({
      id: deployment.deploymentId,
      account_id: deployment.accountId,
      agent_id: deployment.agentId,
      version_id: deployment.versionId,
      region: deployment.region,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return deploymentOf(row);
}

/** The state of a deployment; null if the account has no such one. */
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

/** One of an agent's deployments; null if it has no such one. */
export async function findDeployment(
  db: Db,
  accountId: string,
  agentId: string,
  deploymentId: string,
): Promise<DeploymentRow | null> {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('agent_id', '=', agentId)
    .where('id', '=', deploymentId)
    .executeTakeFirst();
  return row === undefined ? null : deploymentOf(row);
}

/** A page of an agent's deployments, the latest accepted first, and how many there are in all. */
export async function listDeployments(
  db: Db,
  accountId: string,
  agentId: string,
  rows: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly deployments: DeploymentRow[] }> {
  const ofAgent = db.selectFrom('deployments').where('account_id', '=', accountId).where('agent_id', '=', agentId);
  const [count, page] = await Promise.all([
    ofAgent.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    ofAgent.selectAll().orderBy('accepted', 'desc').offset(rows.offset).limit(rows.limit).execute(),
  ]);
  return { total: Number(count.total), deployments: page.map(deploymentOf) };
}

/**
 * Takes an agent out of service everywhere: what is live is retired, and so is what was accepted before and has not gone
 * live yet. The agent has to be locked (`lockAgentForChange`), so that the order in which orders are accepted decides.
 *
 * @returns ids of the deployments that were retired
 */
export async function retireDeployments(tx: Db, accountId: string, agentId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deployments
    set status = 'retired', reason = case status when 'live' then 'undeployed' else 'superseded' end,
      updated_at = clock_timestamp()
    where account_id = ${accountId} and agent_id = ${agentId} and status in ('live', 'pending')
    returning id`.execute(tx);
  await sql`
    update agents set status = 'inactive', deployment_id = null, updated_at = clock_timestamp()
    where account_id = ${accountId} and id = ${agentId} and status = 'active'`.execute(tx);
  return rows.map(({ id }) => id);
}
