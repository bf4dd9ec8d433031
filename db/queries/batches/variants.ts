import { sql } from 'kysely';
import type { KnownVariant, Variant } from '../../../domain/batch/variants.js';
import type { Db } from '../../client.js';

/**
 * Locks the agents of variants against being undeployed until the transaction ends.
 *
 * @returns what is known of each variant, in their order
 */
export async function lockVariants(
  tx: Db,
  accountId: string,
  variants: readonly Variant[],
): Promise<readonly KnownVariant[]> {
  const agentIds = variants.map(({ agentId }) => agentId);
  await sql`
    select 1 from agents where account_id = ${accountId} and id = any (${agentIds}::text[]) order by id for share`.execute(
    tx,
  );
  const { rows } = await sql<KnownVariant>`
    select a.id is not null as "agentIsThere", coalesce(a.status = 'active', false) as "agentIsActive",
      z.version_id is null or exists (
        select 1 from agent_versions v
        where v.id = z.version_id and v.agent_id = a.id and v.account_id = ${accountId}) as "versionIsThere",
      z.version_id is null or exists (
        select 1 from deployments d
        where d.version_id = z.version_id and d.account_id = ${accountId} and d.status in ('live', 'retired')) as "versionWasLive"
    from unnest(${agentIds}::text[], ${variants.map(({ versionId }) => versionId ?? null)}::text[])
      with ordinality as z (agent_id, version_id, place)
    left join agents a on a.id = z.agent_id and a.account_id = ${accountId}
    order by z.place`.execute(tx);
  return rows;
}
