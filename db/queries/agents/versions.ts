import { sql } from 'kysely';
import type { Db } from '../../client.js';

export interface VersionRow {
  readonly id: string;
  readonly name: string;
  /** 1 for the first. */
  readonly number: number;
  /** Whether it is live in some region. */
  readonly isDeployed: boolean;
  readonly createdAt: Date;
}

/** The agent that a version has to be of. */
export interface VersionOwner {
  readonly accountId: string;
  readonly agentId: string;
}

const isDeployed = sql<boolean>`exists (
  select 1 from deployments d where d.agent_id = v.agent_id and d.version_id = v.id and d.status = 'live')`;

const versionsOf = (db: Db, { accountId, agentId }: VersionOwner) =>
  db.selectFrom('agent_versions as v').where('v.account_id', '=', accountId).where('v.agent_id', '=', agentId);

/** A page of an agent's versions, newest first, and how many there are in all. */
export async function listVersions(
  db: Db,
  owner: VersionOwner,
  rows: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly versions: VersionRow[] }> {
  const [count, versions] = await Promise.all([
    versionsOf(db, owner)
      .select(({ fn }) => fn.countAll<string>().as('total'))
      .executeTakeFirstOrThrow(),
    versionsOf(db, owner)
      .select(['v.id', 'v.name', 'v.number', 'v.created_at as createdAt', isDeployed.as('isDeployed')])
      .orderBy('v.number', 'desc')
      .offset(rows.offset)
      .limit(rows.limit)
      .execute(),
  ]);
  return { total: Number(count.total), versions };
}

/** One version with its config as stored; null if the agent has no such one. */
export async function findVersion(
  db: Db,
  owner: VersionOwner,
  versionId: string,
): Promise<(VersionRow & { readonly config: unknown }) | null> {
  const row = await versionsOf(db, owner)
    .select(['v.id', 'v.name', 'v.number', 'v.config', 'v.created_at as createdAt', isDeployed.as('isDeployed')])
    .where('v.id', '=', versionId)
    .executeTakeFirst();
  return row ?? null;
}
