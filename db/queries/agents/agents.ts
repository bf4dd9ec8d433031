import type { AgentConfig } from '../../../domain/agent-config/schema.js';
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../client.js';
import type { Agents } from '../../types.js';
import { containing } from '../search-pattern.js';

type AgentStatus = 'inactive' | 'active';

export interface AgentRow {
  readonly id: string;
  readonly name: string;
  readonly status: AgentStatus;
  /** Live deployment of the default region; null while inactive. */
  readonly deploymentId: string | null;
  readonly latestVersionId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A version as it is made: configs are never changed, so there is no update of one. */
export interface NewVersion {
  readonly versionId: string;
  readonly versionName: string;
  /** As stored and answered: names resolved, keys masked. */
  readonly config: AgentConfig;
  /** The keys behind the masks, sealed. */
  readonly secrets: readonly { readonly path: string; readonly sealed: string }[];
}

const agentOf = (row: Selectable<Agents>): AgentRow => ({
  id: row.id,
  name: row.name,
  status: row.status === 'active' ? 'active' : 'inactive',
  deploymentId: row.deployment_id,
  latestVersionId: row.latest_version_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

async function insertVersion(
  tx: Db,
  owner: { readonly accountId: string; readonly agentId: string; readonly number: number },
  version: NewVersion,
): Promise<void> {
  const { accountId, agentId, number } = owner;
  await tx
    .insertInto('agent_versions')
    .values({
      id: version.versionId,
      account_id: accountId,
      agent_id: agentId,
      number,
      name: version.versionName,
      config: JSON.stringify(version.config),
      analyzes: version.config.analysis?.enabled === true,
    })
    .execute();
  if (version.secrets.length === 0) return;
  await tx
    .insertInto('agent_version_secrets')
    .values(
      version.secrets.map(({ path, sealed }) => ({
        version_id: version.versionId,
        account_id: accountId,
        path,
        secret_sealed: sealed,
      })),
    )
    .execute();
}

/** Stores a new agent, inactive, with its first version. */
export async function insertAgent(
  tx: Db,
  agent: { readonly accountId: string; readonly agentId: string; readonly name: string },
  firstVersion: NewVersion,
): Promise<AgentRow> {
  const { accountId, agentId, name } = agent;
  const row = await tx
    .insertInto('agents')
    .values({ id: agentId, account_id: accountId, name, latest_version_id: firstVersion.versionId })
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertVersion(tx, { accountId, agentId, number: 1 }, firstVersion);
  return agentOf(row);
}

/**
 * Stores a new version and makes it the agent's latest; what runs is left as it is. Updates of one agent wait for each
 * other, so that version numbers have no gaps and the latest is the last. Null if the account has no such agent.
 */
export async function addVersion(
  tx: Db,
  agent: { readonly accountId: string; readonly agentId: string; readonly name: string },
  version: NewVersion,
): Promise<AgentRow | null> {
  const { accountId, agentId, name } = agent;
  const row = await tx
    .updateTable('agents')
    .set({ name, latest_version_id: version.versionId, updated_at: sql<Date>`clock_timestamp()` })
    .where('account_id', '=', accountId)
    .where('id', '=', agentId)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  const { last } = await tx
    .selectFrom('agent_versions')
    .select(({ fn }) => fn.max('number').as('last'))
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow();
  await insertVersion(tx, { accountId, agentId, number: last + 1 }, version);
  return agentOf(row);
}

export async function findAgent(db: Db, accountId: string, agentId: string): Promise<AgentRow | null> {
  const row = await db
    .selectFrom('agents')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', agentId)
    .executeTakeFirst();
  return row === undefined ? null : agentOf(row);
}

/** The config of one of the agent's versions, as stored; null if the agent has no such version. */
export async function findVersionConfig(
  db: Db,
  {
    accountId,
    agentId,
    versionId,
  }: { readonly accountId: string; readonly agentId: string; readonly versionId: string },
): Promise<unknown> {
  const row = await db
    .selectFrom('agent_versions')
    .select('config')
    .where('account_id', '=', accountId)
    .where('agent_id', '=', agentId)
    .where('id', '=', versionId)
    .executeTakeFirst();
  return row?.config ?? null;
}

export interface AgentFilter {
  /** Part of the name, in any casing. */
  readonly search?: string | undefined;
  readonly status?: AgentStatus | undefined;
}

/** A page of the account's agents, newest first, and how many there are in all. */
export async function listAgents(
  db: Db,
  accountId: string,
  filter: AgentFilter,
  rows: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly agents: AgentRow[] }> {
  let matching = db.selectFrom('agents').where('account_id', '=', accountId);
  if (filter.search !== undefined) matching = matching.where('name', 'ilike', containing(filter.search));
  if (filter.status !== undefined) matching = matching.where('status', '=', filter.status);
  const [count, page] = await Promise.all([
    matching.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    matching
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(rows.offset)
      .limit(rows.limit)
      .execute(),
  ]);
  return { total: Number(count.total), agents: page.map(agentOf) };
}
