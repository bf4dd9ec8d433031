import { playsWithoutViolation } from './plays-without-violation.js';

playsWithoutViolation({ steps: 10_000, seed: 20_261_123 });
