import { setTimeout as timersRun } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { anotherApp, api } from '../support.js';

/** Keeps the event loop to itself, as a long answer or a machine that is short of processors does. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('a process that is held up for a second at a time answers all the same', async () => {
  const app = await anotherApp({});
  await app.ready();
  const statuses = [];
  for (let round = 0; round < 3; round += 1) {
    block(1_100);
    await timersRun(1); // the one that looks at the delay among them
    statuses.push((await api.get('/v1/agents', { app })).status);
  }
  expect(statuses).toEqual([200, 200, 200]);
});
