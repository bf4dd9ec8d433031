import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStartGate, type StartGate } from '../worker/start-gate.js';

let gate: StartGate;
let loaded: string[];
beforeEach(() => {
  vi.useFakeTimers();
  gate = createStartGate();
  loaded = [];
});
afterEach(() => {
  gate.stop();
  vi.useRealTimers();
});
const ask = (name: string) => gate.ask(() => loaded.push(name));

test('F5: with nothing spoken a process loads at once, and the next when it has', () => {
  ask('first');
  ask('second');
  expect(loaded).toEqual(['first']);
  gate.loaded();
  expect(loaded).toEqual(['first', 'second']);
});

test('F5: no process loads while a conversation begins or its greeting is awaited', async () => {
  gate.hold(3_000);
  ask('first');
  await vi.advanceTimersByTimeAsync(2_000);
  gate.hold(3_000);
  await vi.advanceTimersByTimeAsync(2_900);
  expect(loaded).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(loaded).toEqual(['first']);
});

test('F5: however much is spoken, a process waits twenty seconds at most', async () => {
  gate.hold(1_000);
  ask('first');
  for (let second = 0; second < 19; second++) {
    gate.hold(3_000);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(loaded).toEqual([]);
  gate.hold(3_000);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(loaded).toEqual(['first']);
});

test('a process that hangs while it loads holds the next one up for half a minute, one that is gone not at all', async () => {
  ask('first');
  const takeBack = ask('gone');
  ask('third');
  takeBack();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(loaded).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(loaded).toEqual(['first', 'third']);
});
