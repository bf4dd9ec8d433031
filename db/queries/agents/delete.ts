import { sql } from 'kysely';
import type { Db } from '../../client.js';

/**
 * Locks an agent against everything that comes to use it (which share-locks it) and against other changes of what runs,
 * until the transaction ends.
 *
 * @returns its latest version; null if the account has no such agent
 */
export async function lockAgentForChange(
  tx: Db,
  accountId: string,
  agentId: string,
): Promise<{ readonly latestVersionId: string } | null> {
  const row = await tx
    .selectFrom('agents')
    .select('latest_version_id as latestVersionId')
    .where('account_id', '=', accountId)
    .where('id', '=', agentId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Some of the resources that use an agent, for an error message. */
export interface AgentUses {
  readonly rules: readonly string[];
  /** Batches that are not finished. */
  readonly batches: readonly string[];
  /** Bare UUIDs of calls outside batches that are not over. */
  readonly calls: readonly string[];
}

/** How many of each kind the answer names. */
const told = 5;

/** Ask with the agent locked: then nothing that uses it is being made. */
export async function agentUses(tx: Db, accountId: string, agentId: string): Promise<AgentUses> {
  const { rows } = await sql<AgentUses>`
    select
      array(select id from routing_rules where account_id = ${accountId} and agent_id = ${agentId}
        order by id limit ${told}) as rules,
      array(select id from batches where account_id = ${accountId}
        and (agent_id = ${agentId} or variants @> ${JSON.stringify([{ agentId }])}::jsonb)
        and status not in ('parse_failed', 'cancelled', 'completed') order by id limit ${told}) as batches,
      array(select id::text from calls where account_id = ${accountId} and agent_id = ${agentId}
        and batch_id is null and not settled order by id limit ${told}) as calls`.execute(tx);
  return rows[0] ?? { rules: [], batches: [], calls: [] };
}

/** Removes an agent with its versions, their keys and its deployments. Nothing may use it (`agentUses`). */
export async function deleteAgentRow(tx: Db, accountId: string, agentId: string): Promise<void> {
  await tx.deleteFrom('agents').where('account_id', '=', accountId).where('id', '=', agentId).execute();
}
