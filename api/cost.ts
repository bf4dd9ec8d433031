import { z } from 'zod';
import { amountOf, type Cost as StoredCost } from '../domain/account/money.js';

/** What something has cost by the prices of the account. */
export const Cost = z
  .strictObject({
    amount: z.number().nullable().describe('To 6 decimal places; null: nothing of it had a price'),
    currency: z.string().describe('ISO 4217'),
    withoutPrice: z.int().describe('Answered attempts that no price fitted: they are not in amount'),
  })
  .meta({ id: 'Cost', examples: [{ amount: 0.0231, currency: 'USD', withoutPrice: 0 }] });

/** An amount, which is none if all there is had no price. */
export const pricedAmount = ({ costMicros, unpriced }: StoredCost): number | null =>
  costMicros === null || (unpriced > 0 && Number(costMicros) === 0) ? null : amountOf(costMicros);

/** @param currency null: the account has no prices */
export function costBody(cost: StoredCost, currency: string | null): { cost?: z.output<typeof Cost> } {
  if (currency === null || (cost.costMicros === null && cost.unpriced === 0)) return {};
  return { cost: { amount: pricedAmount(cost), currency, withoutPrice: cost.unpriced } };
}

export const batchCostField = {
  cost: Cost.optional().describe('Of its calls so far; omitted if the account has no prices'),
};

/** Of a batch, in whose row it is null while the account has no prices. */
export const batchCostBody = ({
  cost,
  currency,
}: {
  readonly cost: StoredCost | null;
  readonly currency: string | null;
}): { cost?: z.output<typeof Cost> } => (cost === null ? {} : costBody(cost, currency));
