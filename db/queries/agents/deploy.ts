import { sql } from 'kysely';
import type { Db } from '../../client.js';

export interface PendingDeployment {
  readonly agentId: string;
  readonly versionId: string;
  readonly region: string;
  /** AgentConfig as stored. */
  readonly config: unknown;
  /** Keys of the config, sealed, by their place in it. */
  readonly sealedKeys: Readonly<Record<string, string>>;
  readonly hasActiveKey: boolean;
}

/** A deployment that is still to be decided, or null. */
export async function pendingDeployment(
  db: Db,
  accountId: string,
  deploymentId: string,
): Promise<PendingDeployment | null> {
  const { rows } = await sql<PendingDeployment>`
    select d.agent_id as "agentId", d.version_id as "versionId", d.region, v.config,
      coalesce((select jsonb_object_agg(s.path, s.secret_sealed) from agent_version_secrets s where s.version_id = v.id), '{}') as "sealedKeys",
      exists (select 1 from api_keys k where k.account_id = d.account_id and k.active) as "hasActiveKey"
    from deployments d join agent_versions v on v.id = d.version_id
    where d.id = ${deploymentId} and d.account_id = ${accountId} and d.status = 'pending'`.execute(db);
  return rows[0] ?? null;
}

/** Ends a deployment that cannot go live, with a message that says what to do about it. */
export async function failDeployment(db: Db, accountId: string, deploymentId: string, reason: string): Promise<void> {
  await sql`
    update deployments set status = 'failed', reason = ${reason}, updated_at = clock_timestamp()
    where id = ${deploymentId} and account_id = ${accountId} and status = 'pending'`.execute(db);
}

export interface GoLive {
  readonly accountId: string;
  readonly deploymentId: string;
  /** The region whose live deployment makes an agent active. */
  readonly defaultRegion: string;
  /** Models that the service fills in for what the config leaves out. */
  readonly defaults: object;
}

/**
 * Puts a deployment live and retires the one before it, in one step for every reader. Only the latest deploy of an
 * agent in a region goes live: an earlier one that comes late is retired.
 *
 * @returns gateways whose batches may go on because their agent is active (again)
 */
export async function goLive(db: Db, { accountId, deploymentId, defaultRegion, defaults }: GoLive): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    await sql`
      select 1 from agents where id = (select agent_id from deployments where id = ${deploymentId})
        and account_id = ${accountId}
      for update`.execute(tx);
    const { rows } = await sql<{ agent_id: string; region: string; superseded: boolean }>`
      select d.agent_id, d.region, exists (
        select 1 from deployments l
        where l.agent_id = d.agent_id and l.region = d.region and l.accepted > d.accepted) as superseded
      from deployments d
      where d.id = ${deploymentId} and d.account_id = ${accountId} and d.status = 'pending'
      for update`.execute(tx);
    const [deployment] = rows;
    if (deployment === undefined) return [];
    const { agent_id: agentId, region, superseded } = deployment;
    if (superseded) {
      await sql`
        update deployments set status = 'retired', reason = 'superseded', updated_at = clock_timestamp()
        where id = ${deploymentId}`.execute(tx);
      return [];
    }
    await sql`
      update deployments set status = 'retired', reason = 'superseded', updated_at = clock_timestamp()
      where agent_id = ${agentId} and region = ${region} and status = 'live'`.execute(tx);
    await sql`
      update deployments set status = 'live', reason = null, defaults = ${JSON.stringify(defaults)}::jsonb,
        updated_at = clock_timestamp()
      where id = ${deploymentId}`.execute(tx);
    if (region !== defaultRegion) return [];
    await sql`
      update agents set status = 'active', deployment_id = ${deploymentId}, updated_at = clock_timestamp()
      where id = ${agentId}`.execute(tx);
    const { rows: gateways } = await sql<{ gateway_id: string }>`
      select gateway_id from batches where agent_id = ${agentId} and status = 'running'
      union
      select gateway_id from batches
      where account_id = (select account_id from agents where id = ${agentId})
        and status not in ('parse_failed', 'cancelled', 'completed') and status = 'running'
        and variants @> ${JSON.stringify([{ agentId }])}::jsonb`.execute(tx);
    return gateways.map((gateway) => gateway.gateway_id);
  });
}
