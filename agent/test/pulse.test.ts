import { expect, test } from 'vitest';
import { takePulse, watchLag } from '../worker/pulse.js';
import type { Pulse } from '../worker/strain.js';

/** Keeps this process from doing anything else. */
function block(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test('F5: a process that stands still for half a second shows in its pulse, and in what it tells its worker', async () => {
  const pulses: Pulse[] = [];
  const lags: number[] = [];
  const meter = takePulse((pulse) => pulses.push(pulse));
  const end = watchLag((ms) => lags.push(ms));
  meter.lagged(50);
  await expect.poll(() => pulses.length, { timeout: 10_000 }).toBeGreaterThan(0);
  block(500);
  const longest = (ms: readonly number[]) => Math.max(0, ...ms);
  await expect.poll(() => longest(pulses.map(({ lagMs }) => lagMs)), { timeout: 10_000 }).toBeGreaterThan(400);
  await expect.poll(() => longest(lags), { timeout: 10_000 }).toBeGreaterThan(400);
  for (const { processor } of pulses) {
    expect(processor).toBeGreaterThanOrEqual(0);
    expect(processor).toBeLessThanOrEqual(1);
  }
  meter.stop();
  end();
});

test('F5: a process that stands still from just before a pulse shows in one', async () => {
  let blocks = 0;
  const pulses: Pulse[] = [];
  const meter = takePulse((pulse) => {
    pulses.push(pulse);
    if (blocks === 3) return;
    // The next pulse is due after a second. On a busy machine it may come first, and the one after it is late.
    blocks += 1;
    setTimeout(() => block(500), 1_000 - 4 * blocks);
  });
  await expect.poll(() => pulses.length, { timeout: 30_000 }).toBeGreaterThan(4);
  meter.stop();
  // Two blocks may be in one pulse then.
  expect(pulses.filter(({ lagMs }) => lagMs > 400).length).toBeGreaterThanOrEqual(2);
});

test('F5: late greetings and conversations are in the next pulse, the worst of each, and in no other', async () => {
  const pulses: Pulse[] = [];
  const meter = takePulse((pulse) => pulses.push(pulse));
  for (const ms of [700, 60_000, 900]) meter.lagged(ms);
  for (const ms of [300, 2_400, 500]) meter.greeted(ms);
  await expect.poll(() => pulses.length, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(pulses[0]).toMatchObject({ lagMs: 60_000, greetingMs: 2_400 });
  expect(pulses[1]?.greetingMs).toBeNull();
  expect(pulses[1]?.lagMs).toBeLessThan(60_000);
  meter.stop();
});
