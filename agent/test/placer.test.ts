import { expect, test } from 'vitest';
import type { Side } from '../recording/mix.js';
import { createPlacer, createWaiting } from '../recording/placer.js';

const piece = (value: number): Int16Array => new Int16Array(320).fill(value);
type Heard = readonly [Side, number, number];

function listening() {
  const heard: Heard[] = [];
  const begun: Side[] = [];
  return {
    heard,
    begun,
    begin: (side: Side) => begun.push(side),
    hear: (side: Side, samples: Int16Array, endsAtMs: number) => heard.push([side, samples[0] ?? 0, endsAtMs]),
  };
}

test('F4: sound of a track that is taken late and all at once is put where it was heard', () => {
  const ear = listening();
  const placer = createPlacer(ear);
  placer.begin('callee');
  // The process stands still for 400 ms just as the track begins, then keeps up.
  for (let number = 1; number <= 20; number++) placer.hear('callee', piece(number), 10_400);
  for (let number = 21; number <= 40; number++) placer.hear('callee', piece(number), 10_000 + number * 20);
  expect(ear.heard).toHaveLength(40);
  for (const [, number, endsAtMs] of ear.heard) expect(endsAtMs).toBe(10_000 + number * 20);
});

test('F4: a process that is held up for a second later on moves nothing', () => {
  const ear = listening();
  const placer = createPlacer(ear);
  for (let number = 1; number <= 50; number++) placer.hear('agent', piece(number), number * 20);
  for (let number = 51; number <= 90; number++) placer.hear('agent', piece(number), 1_800);
  expect(ear.heard.at(-1)).toEqual(['agent', 90, 1_800]);
  expect(ear.heard[60]).toEqual(['agent', 61, 1_220]);
});

test('sound after a gap is put where it is heard', () => {
  const ear = listening();
  const placer = createPlacer(ear);
  for (let number = 1; number <= 50; number++) placer.hear('callee', piece(number), number * 20);
  for (let number = 51; number <= 80; number++) placer.hear('callee', piece(number), 5_000 + number * 20);
  expect(ear.begun).toEqual(['callee', 'callee']);
  expect(ear.heard[50]).toEqual(['callee', 51, 6_020]);
});

test('a track that is shorter than what is held back is heard all the same', () => {
  const ear = listening();
  const placer = createPlacer(ear);
  placer.hear('callee', piece(1), 3_000);
  expect(ear.heard).toEqual([]);
  placer.flush();
  expect(ear.heard).toEqual([['callee', 1, 3_000]]);
});

test('F4: what is heard before the answer is known waits for it in order, and no more than is kept', () => {
  const ear = listening();
  const waiting = createWaiting(3);
  expect(waiting.fromMs).toBeNull();
  waiting.begin('callee');
  for (let number = 1; number <= 4; number++) waiting.hear('callee', piece(number), number * 20);
  expect([waiting.fromMs, ear.heard]).toEqual([20, []]);
  waiting.release(ear);
  waiting.hear('callee', piece(5), 100);
  expect(ear.heard.map(([, number]) => number)).toEqual([2, 3, 4, 5]);
});
