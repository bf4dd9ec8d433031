import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placesOf, placesText, smallerBy } from './smaller.js';

test('what breaks something is made as small as can be: no entry of the rest can be spared', async () => {
  const places = fc.uniqueArray(fc.nat({ max: 199 }), { minLength: 0, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 200 }), places, async (length, some) => {
      const needed = some.filter((place) => place < length).sort((a, b) => a - b);
      const all = Array.from({ length }, (_none, place) => place);
      const breaks = (rest: readonly number[]) => Promise.resolve(needed.every((place) => rest.includes(place)));
      expect(await smallerBy(all, breaks, () => true), `of ${length}`).toEqual(needed);
    }),
    { seed: 1, numRuns: 50 },
  );
});

test('it stops when there is no time left, with what breaks something so far', async () => {
  const all = Array.from({ length: 100 }, (_none, place) => place);
  let tries = 0;
  const kept = await smallerBy(
    all,
    (rest) => Promise.resolve((tries += 1) > 0 && rest.includes(0)),
    () => tries < 3,
  );
  expect(tries).toBe(3);
  expect(kept).toHaveLength(25);
  expect(kept).toContain(0);
});

test('places are written as runs, and read again', () => {
  expect(placesText([0, 1, 2, 7, 9, 10])).toBe('0-2,7,9-10');
  expect(placesOf('0-2,7,9-10')).toEqual([0, 1, 2, 7, 9, 10]);
  expect(placesOf(placesText([]))).toEqual([]);
  expect(() => placesOf('1,x')).toThrow('"x" is no place');
});
