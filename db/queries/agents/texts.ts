import { sql } from 'kysely';
import type { AgentConfig } from '../../../domain/agent-config/schema.js';
import type { Db } from '../../client.js';

export interface AgentTexts {
  /** Of the version that is live in the default region. */
  readonly config: AgentConfig;
  /** Names that the rule gives a value besides the columns of a file. */
  readonly metadataKeys: readonly string[];
}

/** Prompt and greeting of the agent of this rule; null if it is not deployed, or the rule is gone. */
export async function agentTextsOfRule(db: Db, accountId: string, ruleId: string): Promise<AgentTexts | null> {
  const { rows } = await sql<AgentTexts>`
    select v.config, array(select jsonb_object_keys(r.agent_metadata)) as "metadataKeys"
    from routing_rules r
    join agents a on a.id = r.agent_id and a.account_id = r.account_id
    join deployments d on d.id = a.deployment_id
    join agent_versions v on v.id = d.version_id
    where r.id = ${ruleId} and r.account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}

/** Whether the agent of this rule, as it is live, finds out of each conversation whether it was a success. */
export async function findsSuccess(db: Db, accountId: string, ruleId: string): Promise<boolean> {
  const { rows } = await sql<{ finds: boolean }>`
    select v.analyzes and v.config #>> '{analysis,success}' is not null as finds
    from routing_rules r
    join agents a on a.id = r.agent_id and a.account_id = r.account_id
    join deployments d on d.id = a.deployment_id
    join agent_versions v on v.id = d.version_id
    where r.id = ${ruleId} and r.account_id = ${accountId}`.execute(db);
  return rows[0]?.finds === true;
}
