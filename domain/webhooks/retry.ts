/** A webhook that is not taken is tried until this long after its event (docs/conformance.md, Webhooks). */
export const deliveryLifeSeconds = 86_400;

const firstDelaysSeconds = [5, 30, 120, 600, 1_800, 3_600] as const;
const laterDelaySeconds = 7_200;

/** Seconds until the next try after the first, the second, … try that was not taken; after more than these, the last. */
export const deliveryDelaysSeconds: readonly number[] = [...firstDelaysSeconds, laterDelaySeconds];

/**
 * Seconds until the next try of a delivery that was not taken, or null if it has failed for good.
 *
 * @param triesMade 1 or more
 * @param ageSeconds since the event, or since the delivery was asked for again
 */
export function nextDeliveryDelaySeconds(triesMade: number, ageSeconds: number): number | null {
  const delay = firstDelaysSeconds[triesMade - 1] ?? laterDelaySeconds;
  return ageSeconds + delay <= deliveryLifeSeconds ? delay : null;
}
