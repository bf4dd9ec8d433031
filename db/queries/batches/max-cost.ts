import { sql } from 'kysely';
import type { CallPrice } from '../../../domain/account/call-price.js';
import { finishedStatuses } from '../../../domain/batch/batch-call.js';
import type { Problem } from '../../../domain/errors.js';
import type { Db } from '../../client.js';

/**
 * What is wrong with the most that a batch may cost: nothing can be told of it if no price of the account is for calls by its
 * gateway. The prices stay as they are until the transaction is over.
 */
export async function maxCostProblems(
  tx: Db,
  accountId: string,
  gatewayId: string,
  maxCost: number | null,
): Promise<Problem[]> {
  if (maxCost === null) return [];
  const { rows: locked } = await sql`
    select 1 from account_prices where account_id = ${accountId} for share`.execute(tx);
  // A statement of its own: it sees the prices that were set until they were locked.
  const { rows } = await sql<{ fits: boolean }>`
    select exists (select 1 from call_prices c
      where c.account_id = ${accountId} and c.gateway in (${gatewayId}, '')) as fits`.execute(tx);
  if (locked.length > 0 && rows[0]?.fits === true) return [];
  const message =
    locked.length === 0
      ? 'needs prices of calls, and the account has none: set them with PUT /v1/account/prices'
      : `needs a price of calls by gateway ${gatewayId}, and the account has none: set it with PUT /v1/account/prices`;
  return [{ path: 'maxCost', code: 'INVALID_VALUE', message }];
}

/** Who keeps a `maxCost` that prices which are to be set would make meaningless. */
export interface KeptMaxCosts {
  /** Batch calls that are not over and campaigns, whatever their gateway. */
  readonly any: readonly string[];
  /** Batch calls that are not over by a gateway for whose calls there would be no price. */
  readonly unpriced: readonly string[];
}

const mostNamed = 5;

/** The first batch calls and campaigns with a `maxCost` whom these prices, which are locked, concern. */
export async function keptMaxCosts(tx: Db, accountId: string, prices: readonly CallPrice[]): Promise<KeptMaxCosts> {
  const gateways = prices.map(({ gatewayId }) => gatewayId ?? '');
  const { rows } = await sql<KeptMaxCosts>`
    with batch as materialized (
      select b.id, b.gateway_id from batches b
      where b.account_id = ${accountId} and b.max_cost is not null and b.status <> all (${[...finishedStatuses]}::text[])
    )
    select array(
        select id from batch union all
        select c.id from campaigns c where c.account_id = ${accountId} and c.template -> 'maxCost' is not null
          and c.template ->> 'maxCost' is not null
        order by 1 limit ${mostNamed}) as any,
      array(
        select id from batch where not gateway_id = any (${gateways}::text[]) and '' <> all (${gateways}::text[])
        order by 1 limit ${mostNamed}) as unpriced`.execute(tx);
  return rows[0] ?? { any: [], unpriced: [] };
}
