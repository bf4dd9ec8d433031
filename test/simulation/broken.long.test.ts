import { mutants } from './broken.js';
import { findMutants, useVirtualTime } from './find-mutants.js';

// Those of C1 are in broken.test.ts.
useVirtualTime();

findMutants(mutants.filter(({ what }) => !what.startsWith('C1')));
