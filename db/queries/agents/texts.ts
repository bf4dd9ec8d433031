import { sql } from 'kysely';
import type { AgentConfig } from '../../../domain/agent-config/schema.js';
import type { Variant } from '../../../domain/batch/variants.js';
import type { Db } from '../../client.js';

export interface AgentTexts {
  /** Of the version that is live in the default region. */
  readonly config: AgentConfig;
  /** Names that the rule gives a value besides the columns of a file. */
  readonly metadataKeys: readonly string[];
}

/** Who talks on the calls of a batch: the agent of its rule, or its variants. */
export interface Talking {
  readonly ruleId: string;
  readonly variants: readonly Pick<Variant, 'agentId' | 'versionId'>[] | null;
}

/** Live versions `v` of the agents `a` by the rule `r`; of a variant that names a version, that one. */
const talking = (accountId: string, { ruleId, variants }: Talking) => sql`
    from routing_rules r
    cross join unnest(${variants?.map(({ agentId }) => agentId) ?? [null]}::text[],
      ${variants?.map(({ versionId }) => versionId ?? null) ?? [null]}::text[]) as z (agent_id, version_id)
    join agents a on a.id = coalesce(z.agent_id, r.agent_id) and a.account_id = r.account_id
    join deployments d on d.id = a.deployment_id
    join agent_versions v on v.id = coalesce(z.version_id, d.version_id) and v.account_id = r.account_id
    where r.id = ${ruleId} and r.account_id = ${accountId}`;

/** Prompt and greeting of those who talk; none of one that is not deployed, or if the rule is gone. */
export async function agentTexts(db: Db, accountId: string, who: Talking): Promise<readonly AgentTexts[]> {
  const { rows } = await sql<AgentTexts>`
    select v.config, array(select jsonb_object_keys(r.agent_metadata)) as "metadataKeys"
    ${talking(accountId, who)}`.execute(db);
  return rows;
}

/** Whether all who talk find out of each conversation whether it was a success. */
export async function findsSuccess(db: Db, accountId: string, who: Talking): Promise<boolean> {
  const { rows } = await sql<{ finds: boolean }>`
    select v.analyzes and v.config #>> '{analysis,success}' is not null as finds
    ${talking(accountId, who)}`.execute(db);
  return rows.length === (who.variants?.length ?? 1) && rows.every(({ finds }) => finds);
}
