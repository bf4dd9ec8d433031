import { afterAll, beforeAll, expect, test } from 'vitest';
import { explore } from './explore.js';
import { openStage } from './stage.js';
import { useVirtualTime } from './find-mutants.js';
useVirtualTime();
let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
test('asking', { timeout: 600_000 }, async () => {
  const r = await explore(stage, {
    steps: Number(process.env.STEPS ?? 6000),
    seed: Number(process.env.SEED ?? 1),
    start: (process.env.START ?? 'asking') as 'asking',
    shrinkMs: 60_000,
  });
  console.log(JSON.stringify({ ...r, violation: null }));
  expect(r.violation ?? '').toBe('');
});
