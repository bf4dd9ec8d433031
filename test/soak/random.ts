import { seededRandom } from '../../telephony/simulator/random.js';

/** Chance that depends on the seed alone, a stream of its own for each subject, so that one does not move another. */
export interface Chance {
  /** Of the given share of times, 0 to 1. */
  happens(share: number): boolean;
  between(low: number, high: number): number;
  whole(low: number, high: number): number;
  /** @throws if the list is empty */
  pick<const T>(list: readonly T[]): T;
  /** One of the entries, each as often as its weight says. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T;
  /** Time until the next of events that come every `meanMs` on average. */
  waitMs(meanMs: number): number;
}

export function chanceOf(seed: number, subject: string): Chance {
  const random = seededRandom(seed, subject);
  const between = (low: number, high: number): number => low + random() * (high - low);
  const whole = (low: number, high: number): number => Math.floor(between(low, high + 1));
  return {
    happens: (share) => random() < share,
    between,
    whole,
    pick: (list) => some(list[whole(0, list.length - 1)]),
    weighted(list) {
      let left = random() * list.reduce((sum, { weight }) => sum + weight, 0);
      for (const entry of list) {
        left -= entry.weight;
        if (left < 0) return entry;
      }
      return some(list.at(-1));
    },
    waitMs: (meanMs) => -Math.log(1 - random()) * meanMs,
  };
}

function some<T>(entry: T | undefined): T {
  if (entry === undefined) throw new Error('Nothing can be picked of an empty list.');
  return entry;
}
