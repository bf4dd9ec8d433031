import { afterAll, beforeAll, expect, test } from 'vitest';
import { explore } from './explore.js';
import { gate, mutants } from './broken.js';
import { openMutantStage, type Mutant } from './mutants.js';
import { installVirtualTime } from './time.js';

/*
 * A check that cannot fail says nothing: here one promise after the other is taken out of the product, and the simulation
 * has to find what then goes wrong.
 */

let restore: () => void;
beforeAll(() => {
  restore = installVirtualTime();
});
afterAll(() => restore());

/** Steps within which each mutant has to be found. */
const enough = 8_000;

const wantedOf = ({ odds = {}, start = 'any' }: Mutant) => ({
  ...{ steps: enough, seed: 1, odds, start, shrinkMs: 0, toItsEnd: false },
});

test.for(mutants)('$what, and the simulation finds it', { timeout: 400_000 }, async (mutant) => {
  const { stage, unchanged, close } = await openMutantStage(mutant);
  try {
    const { violation } = await explore(stage, wantedOf(mutant));
    expect(unchanged()).toEqual([]);
    expect(violation ?? 'nothing was found').toMatch(mutant.found);
  } finally {
    await close();
  }
});

test('a scenario that broke something is made smaller, and plays again by its seed and path', async () => {
  const mutant = mutants.find(({ what }) => what.includes('look at the batch'));
  expect(mutant).toBeDefined();
  if (mutant === undefined) return;
  const { stage, close } = await openMutantStage(mutant);
  try {
    const wanted = { ...wantedOf(mutant), shrinkMs: 5_000 };
    const { violation, path } = await explore(stage, wanted);
    expect(violation).toMatch(mutant.found);
    expect(path).toContain(':');
    const again = await explore(stage, { ...wanted, shrinkMs: 0, path: path ?? '' });
    expect(again).toMatchObject({ scenarios: 1, path });
    expect(again.violation).toMatch(mutant.found);
  } finally {
    await close();
  }
}, 400_000);

test('a mutant whose text is not in the product any more says so', async () => {
  const gone = { in: gate, from: 'no such text', to: '' };
  await expect(openMutantStage({ what: '', found: /x/, functions: [gone] })).rejects.toThrow(
    'has no no such text any more',
  );
});
