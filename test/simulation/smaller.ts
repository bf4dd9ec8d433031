/**
 * Takes away as many entries as it can while the rest still breaks something: halves first, then ever smaller pieces, the
 * last ones before the first ones.
 *
 * @param breaks whether these entries, in their order, still break something
 * @param mayGoOn whether there is time for another try
 * @returns no more entries than were given, and the same ones for the same answers
 */
export async function smallerBy<T>(
  entries: readonly T[],
  breaks: (rest: readonly T[]) => Promise<boolean>,
  mayGoOn: () => boolean,
): Promise<readonly T[]> {
  let kept = entries;
  for (let size = Math.ceil(kept.length / 2); size > 0 && kept.length > 0;) {
    let fewer = false;
    for (let end = kept.length; end > 0; end -= size) {
      if (!mayGoOn()) return kept;
      const rest = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)];
      if (!(await breaks(rest))) continue;
      kept = rest;
      fewer = true;
    }
    // What could not be spared may be by now, because others are gone.
    if (!fewer || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return kept;
}

/** No place at all. */
const none = 'none';

/** Places as a person reads and types them: `0-3,7`. */
export function placesText(places: readonly number[]): string {
  const runs: [from: number, to: number][] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last?.[1] === place - 1) last[1] = place;
    else runs.push([place, place]);
  }
  return runs.length === 0 ? none : runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join();
}

/** @throws Error if the text is not as `placesText` writes it */
export function placesOf(text: string): number[] {
  if (text === none) return [];
  return text.split(',').flatMap((run) => {
    const [, from, to] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(run) ?? [];
    if (from === undefined) throw new Error(`${JSON.stringify(run)} is no place, nor a run of places such as 0-3.`);
    const length = Number(to ?? from) - Number(from) + 1;
    return Array.from({ length: Math.max(0, length) }, (_none, at) => Number(from) + at);
  });
}
