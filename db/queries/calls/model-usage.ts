import { sql, type RawBuilder } from 'kysely';
import type { ModelUsage } from '../../../domain/agent/model-usage.js';
import type { Db } from '../../client.js';

/** A call, and who used models for it: `<attempt>/<run>` of an agent, `summary/<attempt>/<answer>` or `analysis/<attempt>/<answer>`. */
export interface UsageSource {
  readonly accountId: string;
  /** The bare UUID. */
  readonly callId: string;
  readonly source: string;
}

/**
 * Stores what a source has used so far, all of it each time: doing it again changes nothing, and sources do not touch each
 * other's. The account's days follow (0011-agent-runs.sql).
 */
export async function storeModelUsage(
  db: Db,
  { accountId, callId, source }: UsageSource,
  used: readonly ModelUsage[],
): Promise<void> {
  if (used.length === 0) return;
  await sql`
    insert into call_usage as u (call_id, account_id, source, kind, model, input_tokens, cached_input_tokens,
      output_tokens, audio_seconds, characters)
    select c.id, c.account_id, ${source}, z.kind, z.model, z."inputTokens", z."cachedInputTokens", z."outputTokens",
      z."audioSeconds", z.characters
    from json_to_recordset(${JSON.stringify(used)}::json) as z (kind text, model text, "inputTokens" bigint,
        "cachedInputTokens" bigint, "outputTokens" bigint, "audioSeconds" float8, characters bigint)
      join calls c on c.id = ${callId}::uuid and c.account_id = ${accountId}
    -- Everybody counts days in the same order
    order by z.kind, z.model
    on conflict (call_id, source, kind, model) do update set
      input_tokens = excluded.input_tokens, cached_input_tokens = excluded.cached_input_tokens,
      output_tokens = excluded.output_tokens, audio_seconds = excluded.audio_seconds, characters = excluded.characters
    where (u.input_tokens, u.cached_input_tokens, u.output_tokens, u.audio_seconds, u.characters) is distinct from
      (excluded.input_tokens, excluded.cached_input_tokens, excluded.output_tokens, excluded.audio_seconds,
        excluded.characters)`.execute(db);
}

const sums = sql`kind, model, sum(input_tokens)::float8 as "inputTokens",
  sum(cached_input_tokens)::float8 as "cachedInputTokens", sum(output_tokens)::float8 as "outputTokens",
  sum(audio_seconds) as "audioSeconds", sum(characters)::float8 as characters`;

export interface PricedUsage extends ModelUsage {
  /** In millionths of the account's currency; omitted: no price fitted. */
  readonly costMicros?: string;
}

/** The usage of models in each of these calls, all sources together, in a fixed order; by the calls' bare UUIDs. */
export async function modelUsageOfCalls(
  tx: Db,
  accountId: string,
  callIds: readonly string[],
): Promise<Map<string, PricedUsage[]>> {
  const { rows } = await sql<ModelUsage & { readonly callId: string; readonly costMicros: string | null }>`
    select call_id as "callId", ${sums}, sum(round(cost))::text as "costMicros" from call_usage
    where account_id = ${accountId} and call_id = any (${[...callIds]}::uuid[])
    group by call_id, kind, model order by call_id, kind, model`.execute(tx);
  const found = new Map<string, PricedUsage[]>();
  for (const { callId, costMicros, ...used } of rows) {
    const priced = costMicros === null ? used : { ...used, costMicros };
    found.set(callId, [...(found.get(callId) ?? []), priced]);
  }
  return found;
}

const since = async (db: Db, accountId: string, day: RawBuilder<unknown>): Promise<ModelUsage[]> => {
  const { rows } = await sql<ModelUsage>`
    select ${sums} from model_usage_days where account_id = ${accountId} and ${day}
    group by kind, model order by kind, model`.execute(db);
  return rows;
};

/** The usage of models in an account's calls, by days and months of UTC. */
export async function modelUsageOfAccount(
  db: Db,
  accountId: string,
  now: Date,
): Promise<{ readonly today: readonly ModelUsage[]; readonly thisMonth: readonly ModelUsage[] }> {
  const today = sql`(${now}::timestamptz at time zone 'UTC')::date`;
  const [ofToday, ofMonth] = await Promise.all([
    since(db, accountId, sql`day = ${today}`),
    since(db, accountId, sql`day between date_trunc('month', ${today})::date and ${today}`),
  ]);
  return { today: ofToday, thisMonth: ofMonth };
}
