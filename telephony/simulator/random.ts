/**
 * A generator of numbers in [0, 1) that depends on its seeds alone, so that a run with the same seed rings and talks
 * for the same lengths in whatever order the calls arrive. FNV-1a over the seeds, then mulberry32.
 */
export function seededRandom(...seeds: readonly (string | number)[]): () => number {
  let state = 0x811c9dc5;
  for (const character of seeds.join('|')) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A number between two bounds. */
export const between = (random: () => number, low: number, high: number): number => low + random() * (high - low);
