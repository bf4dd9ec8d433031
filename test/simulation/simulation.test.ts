import { afterAll, beforeAll, expect, test } from 'vitest';
import { explore } from './explore.js';
import { placesOf } from './smaller.js';
import { openStage } from './stage.js';
import { installVirtualTime } from './time.js';

/** What `npm test` plays: the same each time. `npm run simulate` chooses others. */
const steps = Number(process.env.SIMULATION_STEPS ?? 10_000);
const seed = Number(process.env.SIMULATION_SEED ?? 20_260_302);
const path = process.env.SIMULATION_PATH;
const moves = process.env.SIMULATION_MOVES;

let stage: Awaited<ReturnType<typeof openStage>>;
let restore: () => void;
beforeAll(async () => {
  restore = installVirtualTime();
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
  restore();
});

test(
  `${path === undefined ? `${steps} steps` : 'one scenario'} of several dialers that freeze, die and lose answers: nothing is dialed twice, nothing is lost, no limit is exceeded`,
  { timeout: 600_000 + steps * 100 },
  async () => {
    const {
      violation,
      scenarios,
      steps: made,
      invites,
    } = await explore(stage, {
      ...{ steps, seed },
      ...(path === undefined ? {} : { path }),
      ...(moves === undefined ? {} : { places: placesOf(moves) }),
    });
    if (process.env.SIMULATION_SEED !== undefined) {
      process.stdout.write(`seed ${seed}: ${scenarios} scenarios, ${made} steps, ${invites} INVITEs\n`);
    }
    expect(violation, violation ?? '').toBeNull();
    if (path === undefined) expect(invites).toBeGreaterThan(0);
  },
);
