import { expect, test } from 'vitest';
import { mutants } from './broken.js';
import { numberMutants } from './broken-numbers.js';
import { orderMutants } from './broken-orders.js';
import { preDialMutants } from './broken-pre-dial.js';
import { recipientMutants } from './broken-recipients.js';
import { explore } from './explore.js';
import { findMutants, useVirtualTime, wantedOf } from './find-mutants.js';
import { openMutantStage } from './mutants.js';

// The others are in broken.test.ts.
useVirtualTime();

findMutants(
  [...mutants, ...orderMutants, ...recipientMutants, ...numberMutants, ...preDialMutants].filter(
    ({ long }) => long === true,
  ),
);

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
