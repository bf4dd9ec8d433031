import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHealth, hangsAfterMs, troubleAfterMs } from '../../../dialer/health.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('F1: a step that has only failed for a while is trouble, told with its reason, until it succeeds', () => {
  const health = createHealth();
  health.failed('gate', new Error('function uuidv7() does not exist'));
  expect(health.trouble()).toBeNull();
  vi.advanceTimersByTime(troubleAfterMs);
  health.succeeded('claim');
  health.failed('gate', new Error('function uuidv7() does not exist'));
  expect(health.trouble()).toBe('for 10 s no call passes the gate: function uuidv7() does not exist');
  health.succeeded('gate');
  expect(health.trouble()).toBeNull();
});

test('F1: a failure now and then is no trouble', () => {
  const health = createHealth();
  for (let times = 0; times < 10; times++) {
    health.failed('claim', new Error('connection lost'));
    vi.advanceTimersByTime(troubleAfterMs - 1);
    health.succeeded('claim');
    health.succeeded('lease');
    expect(health.trouble()).toBeNull();
  }
});

test('F1: a claim that the database never answers is trouble', () => {
  const health = createHealth();
  vi.advanceTimersByTime(hangsAfterMs);
  health.succeeded('lease');
  expect(health.trouble()).toBe('for 30 s no call can be claimed: the database does not answer');
});
