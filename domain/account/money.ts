/** Amounts are kept as whole millionths of their currency: sums and products of them are exact. */
const microsInOne = 1_000_000;

/** Most that a price can be, in whole units of its currency. */
export const highestPrice = 100_000;

/** What is wrong with a price, as a client sends it; null: nothing. */
export function priceProblem(price: number): string | null {
  if (price < 0 || price > highestPrice) return `must be from 0 to ${highestPrice}`;
  return microsOf(price) / microsInOne === price ? null : 'must have at most 6 decimal places';
}

/** Most that a batch can be told to spend, in whole units of its currency. */
export const highestMaxCost = 1_000_000_000;

/** What is wrong with the most that a batch may cost; null: nothing. */
export function maxCostProblem(amount: number): string | null {
  if (!(amount > 0 && amount <= highestMaxCost)) return `must be more than 0 and at most ${highestMaxCost}`;
  return microsOf(amount) / microsInOne === amount ? null : 'must have at most 6 decimal places';
}

/** An amount with at most 6 decimal places in millionths. */
export const microsOf = (amount: number): number => Math.round(amount * microsInOne);

/** @param micros a whole number of millionths, as the database gives it */
export const amountOf = (micros: string | number): number => Number(micros) / microsInOne;

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether a text is a currency of ISO 4217, such as USD. */
export const isCurrency = (text: string): boolean => currencies.has(text);

/** What something has cost. */
export interface Cost {
  /** What had a price, in millionths of the currency; null: nothing had. */
  readonly costMicros: string | null;
  /** Answered attempts that no price fitted. */
  readonly unpriced: number;
}

/** What attempts have cost together, as their rows say it. */
export function sumOfCosts(
  attempts: readonly { readonly cost: string | null; readonly unpriced: boolean | null }[],
): Cost {
  const costs = attempts.flatMap(({ cost }) => (cost === null ? [] : BigInt(cost)));
  return {
    costMicros: costs.length === 0 ? null : String(costs.reduce((sum, cost) => sum + cost)),
    unpriced: attempts.filter(({ unpriced }) => unpriced === true).length,
  };
}
