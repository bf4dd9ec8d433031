import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../../client.js';

/** An agent for a visitor of the playground. */
export interface AgentToTry {
  readonly agentId: string;
  readonly name: string;
  readonly isActive: boolean;
  /** The version that is live in the default region; the latest if none is. */
  readonly versionId: string;
  /** AgentConfig as stored. */
  readonly config: unknown;
  /** Models that the service filled in when the version was deployed; empty if it never was. */
  readonly defaults: unknown;
  /** The caller's own keys with providers, sealed, by their path in the config. */
  readonly keysSealed: Readonly<Record<string, string>>;
  /** The account's disclosure, said before every greeting; null: none. */
  readonly disclosure: string | null;
}

/** Null if the account has no such agent. */
export async function findAgentToTry(db: Db, accountId: string, agentId: string): Promise<AgentToTry | null> {
  const { rows } = await sql<AgentToTry>`
    select a.id as "agentId", a.name, a.status = 'active' as "isActive", v.id as "versionId", v.config,
      coalesce((select d.defaults from deployments d
        where d.agent_id = a.id and d.version_id = v.id and d.account_id = a.account_id
          and d.status in ('live', 'retired') order by d.accepted desc limit 1), '{}') as defaults,
      (select l.disclosure from guardrails l where l.account_id = a.account_id) as disclosure,
      coalesce((select jsonb_object_agg(s.path, s.secret_sealed) from agent_version_secrets s
        where s.version_id = v.id and s.account_id = a.account_id), '{}') as "keysSealed"
    from agents a
    left join deployments live on live.id = a.deployment_id and live.account_id = a.account_id
    join agent_versions v on v.id = coalesce(live.version_id, a.latest_version_id) and v.account_id = a.account_id
    where a.id = ${agentId} and a.account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Takes one of the turns of an account to talk in the playground. A connection of the pool holds it, so that it ends with its process,
 * however that dies.
 *
 * @param most how many turns there are
 * @returns gives it back; null if all are taken
 */
export async function takePlaygroundTurn(pool: pg.Pool, accountId: string, most: number): Promise<(() => void) | null> {
  const connection = await pool.connect();
  const end = (): void => connection.release(true);
  try {
    const { rowCount } = await connection.query(
      `select from generate_series(1, $2::integer) turn
      where pg_try_advisory_lock(hashtextextended('playground ' || $1 || ' ' || turn, 0)) limit 1`,
      [accountId, most],
    );
    if (rowCount === 1) return end;
  } catch (error) {
    end();
    throw error;
  }
  end();
  return null;
}
