import { expect, test } from 'vitest';
import { explore } from './explore.js';
import { gate, mutants } from './broken.js';
import { orderMutants } from './broken-orders.js';
import { findMutants, useVirtualTime, wantedOf } from './find-mutants.js';
import { openMutantStage } from './mutants.js';

/*
 * A check that cannot fail says nothing: here one promise after the other is taken out of the product, and the simulation
 * has to find what then goes wrong. Those that it takes long to find are in broken.long.test.ts.
 */

useVirtualTime();

findMutants([...mutants, ...orderMutants].filter(({ long }) => long !== true));

test('a scenario that broke something is made smaller, and plays again by its seed and path', async () => {
  const mutant = orderMutants.find(({ what }) => what.includes('do-not-call'));
  expect(mutant).toBeDefined();
  if (mutant === undefined) return;
  const { stage, close } = await openMutantStage(mutant);
  try {
    const wanted = { ...wantedOf(mutant), shrinkMs: Infinity, mostSmaller: 40 };
    const { violation, path, places } = await explore(stage, wanted);
    expect(violation).toMatch(mutant.found);
    expect(path).toContain(':');
    // It was found with 12 to 40.
    expect(places?.length).toBeLessThanOrEqual(3);
    const again = await explore(stage, { ...wanted, path: path ?? '', places: places ?? [] });
    expect(again).toMatchObject({ scenarios: 1, path, places });
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
