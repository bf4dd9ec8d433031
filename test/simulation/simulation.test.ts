import { playsWithoutViolation } from './plays-without-violation.js';

// What `npm test` plays: the same each time. simulation.long.test.ts plays more, and `npm run simulate` chooses others.
playsWithoutViolation({
  steps: Number(process.env.SIMULATION_STEPS ?? 4_000),
  seed: Number(process.env.SIMULATION_SEED ?? 20_260_302),
  path: process.env.SIMULATION_PATH,
  moves: process.env.SIMULATION_MOVES,
});
