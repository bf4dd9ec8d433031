import { expect, test } from 'vitest';
import { gate, mutants } from './broken.js';
import { orderMutants } from './broken-orders.js';
import { numberMutants } from './broken-numbers.js';
import { preDialMutants } from './broken-pre-dial.js';
import { recipientMutants } from './broken-recipients.js';
import { findMutants, useVirtualTime } from './find-mutants.js';
import { openMutantStage } from './mutants.js';

/*
 * A check that cannot fail says nothing: here one promise after the other is taken out of the product, and the simulation
 * has to find what then goes wrong. Those that it takes long to find, or that are much like another here, are in
 * broken.long.test.ts.
 */

useVirtualTime();

findMutants(
  [...mutants, ...orderMutants, ...recipientMutants, ...numberMutants, ...preDialMutants].filter(
    ({ long }) => long !== true,
  ),
);

test('a mutant whose text is not in the product any more says so', async () => {
  const gone = { in: gate, from: 'no such text', to: '' };
  await expect(openMutantStage({ what: '', found: /x/, functions: [gone] })).rejects.toThrow(
    'has no no such text any more',
  );
});
