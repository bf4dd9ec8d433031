import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWakeUp, mostWakeUps } from '../conversation/wake-up.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function silence() {
  const speak = vi.fn();
  const giveUp = vi.fn();
  const wakeUp = createWakeUp({ afterMs: 1_000, speak, giveUp });
  /** The agent has said something, and waits. */
  const falls = () => {
    wakeUp.agent(true);
    wakeUp.agent(false);
  };
  return { wakeUp, speak, giveUp, falls };
}

test('the callee is not spoken to while the agent or the callee speaks', () => {
  const { wakeUp, speak, falls } = silence();
  vi.advanceTimersByTime(10_000);
  falls();
  vi.advanceTimersByTime(999);
  wakeUp.callee(true);
  vi.advanceTimersByTime(10_000);
  expect(speak).not.toHaveBeenCalled();
});

test('after three times without an answer the agent gives up, once', () => {
  const { speak, giveUp, falls } = silence();
  for (let round = 1; round <= mostWakeUps; round++) {
    falls();
    vi.advanceTimersByTime(1_000);
    expect(speak).toHaveBeenCalledTimes(round);
  }
  falls();
  vi.advanceTimersByTime(999);
  expect(giveUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  falls();
  vi.advanceTimersByTime(10_000);
  expect(giveUp).toHaveBeenCalledTimes(1);
  expect(speak).toHaveBeenCalledTimes(mostWakeUps);
});

test('the callee’s voice starts the count again', () => {
  const { wakeUp, speak, giveUp, falls } = silence();
  for (let round = 0; round < 5; round++) {
    falls();
    vi.advanceTimersByTime(2_000);
    wakeUp.callee(true);
    wakeUp.callee(false);
  }
  expect(speak.mock.calls.length).toBeGreaterThan(mostWakeUps);
  expect(giveUp).not.toHaveBeenCalled();
});

test('a voice that is down does not keep a silent call open', () => {
  const { giveUp, falls } = silence();
  falls();
  vi.advanceTimersByTime(1_000 * (mostWakeUps + 1));
  expect(giveUp).toHaveBeenCalledTimes(1);
});

test('nothing comes after the end', () => {
  const { wakeUp, speak, falls } = silence();
  falls();
  wakeUp.stop();
  falls();
  vi.advanceTimersByTime(10_000);
  expect(speak).not.toHaveBeenCalled();
});
