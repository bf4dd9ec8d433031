/** A LiveKit deployment that carries calls: one address and one key of it. */
export interface LiveKitRegion {
  /** As gateways name it. */
  readonly name: string;
  /** http(s) or ws(s) */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/**
 * The region that a gateway's calls go through: the one it names, the first for `auto`.
 * @throws if no such region is configured
 */
export function regionFor<Region extends { readonly name: string }>(name: string, regions: readonly Region[]): Region {
  const region = name === 'auto' ? regions[0] : regions.find((each) => each.name === name);
  if (region !== undefined) return region;
  throw new Error(`No LiveKit is configured for the region ${name}.`);
}
