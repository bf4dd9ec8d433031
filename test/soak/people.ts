import type { Chance } from './random.js';

/** Area codes; each has a hundred thousand numbers for every ending. */
const areas = ['555', '212', '415', '646', '702', '303', '512', '617', '718', '213'] as const;

/** Endings of numbers, which tell the carrier what to do (docs/simulator.md), and how common they are. */
const endings = [
  { digits: '10', weight: 36 },
  { digits: '97', weight: 16 },
  { digits: '21', weight: 10 },
  { digits: '11', weight: 8 },
  { digits: '32', weight: 4 },
  { digits: '54', weight: 4 },
  { digits: '44', weight: 5 },
  { digits: '65', weight: 3 },
  { digits: '55', weight: 3 },
  { digits: '76', weight: 6 },
  { digits: '09', weight: 3 },
  { digits: '43', weight: 2 },
] as const;

/** Numbers that were not given out before. */
export interface People {
  next(count: number): string[];
}

export function createPeople(chance: Chance): People {
  let given = 0;
  return {
    next: (count) =>
      Array.from({ length: count }, () => {
        const place = given++;
        const area = areas[Math.floor(place / 100_000) % areas.length] ?? areas[0];
        return `+1${area}${String(place % 100_000).padStart(5, '0')}${chance.weighted(endings).digits}`;
      }),
  };
}
