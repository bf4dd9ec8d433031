import { sql } from 'kysely';
import type { CallPrice } from '../../../domain/account/call-price.js';
import type { ModelPrice } from '../../../domain/account/model-price.js';
import type { Db } from '../../client.js';

export interface AccountPrices {
  /** ISO 4217. */
  readonly currency: string;
  readonly calls: readonly CallPrice[];
  readonly models: readonly ModelPrice[];
}

export type StoredPrices = AccountPrices & { readonly updatedAt: Date };

/** The prices of an account, the most general first; null if it never had any. */
export async function findPrices(db: Db, accountId: string): Promise<StoredPrices | null> {
  const { rows } = await sql<StoredPrices>`
    select p.currency, p.updated_at as "updatedAt", (
      select coalesce(json_agg(json_build_object('gatewayId', c.gateway_id, 'country', nullif(c.country, ''),
        'perMinuteMicros', c.per_minute, 'incrementSeconds', c.increment_seconds, 'minimumSeconds', c.minimum_seconds)
        order by c.gateway, c.country), '[]')
      from call_prices c where c.account_id = p.account_id) as calls, (
      select coalesce(json_agg(json_build_object('provider', nullif(m.provider, ''), 'model', nullif(m.model, ''),
        'kind', nullif(m.kind, ''), 'perMillionInputTokens', m.million_input,
        'perMillionCachedInputTokens', m.million_cached_input, 'perMillionOutputTokens', m.million_output,
        'perThousandCharacters', m.thousand_characters, 'perMinute', m.minute)
        order by m.provider, m.model, m.kind), '[]')
      from model_prices m where m.account_id = p.account_id) as models
    from account_prices p where p.account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}

/** The currency of an account's prices; null if it has none. */
export async function currencyOf(db: Db, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ currency: string }>`
    select currency from account_prices where account_id = ${accountId}`.execute(db);
  return rows[0]?.currency ?? null;
}

/**
 * Lets one request at a time change the prices of an account. If the currency is to be another, no call is priced until the
 * transaction is over, and those that just are have been.
 *
 * @returns the prices as they are now; null if there are none yet
 */
export async function lockPrices(tx: Db, accountId: string, currency: string): Promise<StoredPrices | null> {
  const { rows } = await sql`
    insert into account_prices (account_id, currency) values (${accountId}, ${currency})
    on conflict (account_id) do nothing returning 1`.execute(tx);
  if (rows.length > 0) return null;
  await sql`
    select 1 from account_prices where account_id = ${accountId} and currency = ${currency} for no key update`.execute(
    tx,
  );
  await sql`
    select 1 from account_prices where account_id = ${accountId} and currency <> ${currency} for update`.execute(tx);
  return findPrices(tx, accountId);
}

/** Whether something has been priced: its currency cannot become another. */
export async function hasCosts(tx: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select 1 from figures f where f.account_id = ${accountId} and f.batch_id = '' and f.cost <> 0)
      or exists (select 1 from figure_changes c where c.account_id = ${accountId} and c.cost <> 0)
      or exists (select 1 from call_attempts a where a.account_id = ${accountId} and a.cost is not null) as has`.execute(
    tx,
  );
  return rows[0]?.has === true;
}

/** Those of these that are gateways of the account, which stay until the transaction is over. */
export async function lockGateways(tx: Db, accountId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from gateways where id = any (${[...new Set(ids)]}::text[]) and account_id = ${accountId}
    order by id for key share`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Replaces the prices of an account, which are locked; of models only if they are given. What has been priced stays as it is. */
export async function putPrices(
  tx: Db,
  accountId: string,
  { currency, calls, models }: Omit<AccountPrices, 'models'> & Partial<AccountPrices>,
): Promise<void> {
  await sql`
    update account_prices set currency = ${currency}, updated_at = clock_timestamp()
    where account_id = ${accountId}`.execute(tx);
  await sql`delete from call_prices where account_id = ${accountId}`.execute(tx);
  await sql`
    insert into call_prices (account_id, gateway_id, country, per_minute, increment_seconds, minimum_seconds)
    select ${accountId}, z."gatewayId", coalesce(z.country, ''), z."perMinuteMicros", z."incrementSeconds", z."minimumSeconds"
    from json_to_recordset(${JSON.stringify(calls)}::json) as z ("gatewayId" text, country text, "perMinuteMicros" bigint,
      "incrementSeconds" integer, "minimumSeconds" integer)`.execute(tx);
  if (models === undefined) return;
  await sql`delete from model_prices where account_id = ${accountId}`.execute(tx);
  await sql`
    insert into model_prices (account_id, provider, model, kind, million_input, million_cached_input, million_output,
      thousand_characters, minute)
    select ${accountId}, coalesce(z.provider, ''), coalesce(z.model, ''), coalesce(z.kind, ''), z."perMillionInputTokens",
      z."perMillionCachedInputTokens", z."perMillionOutputTokens", z."perThousandCharacters", z."perMinute"
    from json_to_recordset(${JSON.stringify(models)}::json) as z (provider text, model text, kind text,
      "perMillionInputTokens" bigint, "perMillionCachedInputTokens" bigint, "perMillionOutputTokens" bigint,
      "perThousandCharacters" bigint, "perMinute" bigint)`.execute(tx);
}
