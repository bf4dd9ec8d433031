import { useApi } from './support.js';

// Vitest runs this before each file of test/api, which are too many to repeat it; see vitest.config.ts.
useApi();
