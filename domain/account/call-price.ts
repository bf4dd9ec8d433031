/** A price for calls; amounts in millionths of the currency. */
export interface CallPrice {
  /** null: any gateway. */
  readonly gatewayId: string | null;
  /** ISO 3166-1 alpha-2 or 001; null: any country. */
  readonly country: string | null;
  readonly perMinuteMicros: number;
  readonly incrementSeconds: number;
  readonly minimumSeconds: number;
}

/**
 * The price of calls that are made by a gateway to a country, as `price_attempt` (db/migrations/0147-prices.sql) chooses it: the most
 * specific; null: none fits.
 */
export function priceFor(prices: readonly CallPrice[], gatewayId: string, country: string): CallPrice | null {
  const of = (gateway: string | null, place: string | null) =>
    prices.find((price) => price.gatewayId === gateway && price.country === place);
  return of(gatewayId, country) ?? of(gatewayId, null) ?? of(null, country) ?? of(null, null) ?? null;
}
