import { afterAll, beforeAll, expect, test } from 'vitest';
import { explore } from './explore.js';
import { openMutantStage, type Mutant } from './mutants.js';
import { installVirtualTime } from './time.js';

/** Steps within which each mutant has to be found. */
const enough = 20_000;

export const wantedOf = ({ odds = {}, start = 'any', seed = 1 }: Mutant) => ({
  ...{ steps: enough, seed, odds, start, shrinkMs: 0, toItsEnd: false },
});

/** Gives the tests of a file virtual time. */
export function useVirtualTime(): void {
  let restore: () => void;
  beforeAll(() => {
    restore = installVirtualTime();
  });
  afterAll(() => restore());
}

/** Defines a test for each mutant: the simulation finds what goes wrong in it. */
export function findMutants(mutants: readonly Mutant[]): void {
  test.for([...mutants])('$what, and the simulation finds it', { timeout: 400_000 }, async (mutant) => {
    const { stage, unchanged, close } = await openMutantStage(mutant);
    try {
      const { violation } = await explore(stage, wantedOf(mutant));
      expect(unchanged()).toEqual([]);
      expect(violation ?? 'nothing was found').toMatch(mutant.found);
    } finally {
      await close();
    }
  });
}
