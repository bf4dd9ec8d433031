import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { whenLate } from '../models/promptness.js';

/** As a machine that does not run the process. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** What is due has run, and what that has put off to the end of its round too. */
async function catchUp(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await setImmediate();
}

test('a model is not late because the process stood still', async () => {
  let isLate = false;
  const inTime = whenLate(10_000, () => {
    isLate = true;
  });
  standStill(1_500);
  await catchUp();
  inTime();
  expect(isLate).toBe(false);
  const soon = new Promise<void>((resolve) => whenLate(10, resolve));
  await soon;
});

test('what came in while the process stood still is read before a model counts as late', async () => {
  const order: string[] = [];
  const late = new Promise<void>((resolve) => {
    whenLate(10, () => {
      order.push('late');
      resolve();
    });
  });
  process.nextTick(() => order.push('an answer'));
  standStill(100);
  await late;
  expect(order).toEqual(['an answer', 'late']);
});
