import { mutants } from './broken.js';
import { orderMutants } from './broken-orders.js';
import { findMutants, useVirtualTime } from './find-mutants.js';

// The others are in broken.test.ts.
useVirtualTime();

findMutants([...mutants, ...orderMutants].filter(({ long }) => long === true));
