import { afterAll, beforeAll, expect, test } from 'vitest';
import { explore } from './explore.js';
import { placesOf } from './smaller.js';
import { openStage } from './stage.js';
import { installVirtualTime } from './time.js';

interface Play {
  readonly steps: number;
  readonly seed: number;
  /** Of one scenario that was found before, with the moves that are left of it. */
  readonly path?: string | undefined;
  readonly moves?: string | undefined;
}

/** Registers the test that plays so many steps and looks for a broken promise after each. */
export function playsWithoutViolation({ steps, seed, path, moves }: Play): void {
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
}
