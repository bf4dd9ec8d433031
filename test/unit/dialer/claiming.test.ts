import { expect, test } from 'vitest';
import { claimStep, waitAfterEmptyClaimMs } from '../../../dialer/claiming.js';

test('C1: a dialer whose lease has run out claims nothing, however much room it has', () => {
  expect(claimStep(false, 0)).toEqual({ do: 'wait_for_lease', waitMs: 1_000 });
});

test('a dialer with a thousand calls on their way claims no more until one has left', () => {
  expect(claimStep(true, 1_000)).toMatchObject({ do: 'wait_for_room' });
  expect(claimStep(true, 999)).toEqual({ do: 'claim' });
});

test('after an empty claim a dialer waits until something is due, a second at most, and never spins', () => {
  expect([null, 300, 5_000, 0, -20].map(waitAfterEmptyClaimMs)).toEqual([1_000, 300, 1_000, 5, 5]);
});
