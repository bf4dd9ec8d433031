import { expect, test } from 'vitest';
import type { ClaimedAttempt } from '../../../db/queries/dialer/claim-attempts.js';
import { createHeldClaims } from '../../../dialer/held-claims.js';

/** A claim, by what tells claims apart. */
const claimed = (claimId: string, callId = 'call', attempt = 1) => ({ callId, attempt, claimId }) as ClaimedAttempt;

test('C1: a claim that is accepted again is not new', () => {
  const held = createHeldClaims();
  expect(held.accept([claimed('a')])).toHaveLength(1);
  expect(held.accept([claimed('a')])).toEqual([]);
  expect(held.size).toBe(1);
});

test('C1: a later claim of an attempt makes its earlier claim void, and only the later one leaves', () => {
  const held = createHeldClaims();
  held.accept([claimed('earlier')]);
  expect(held.accept([claimed('later')])).toHaveLength(1);
  expect(held.has(claimed('earlier'))).toBe(false);
  expect(held.letGo(claimed('earlier'))).toBe(false);
  expect(held.letGo(claimed('later'))).toBe(true);
});

test('C1: a claim leaves once', () => {
  const held = createHeldClaims();
  held.accept([claimed('a')]);
  expect([held.letGo(claimed('a')), held.letGo(claimed('a'))]).toEqual([true, false]);
});

test('C1: a claim that comes back from the gate does not replace one that was accepted meanwhile', () => {
  const held = createHeldClaims();
  held.accept([claimed('earlier')]);
  held.letGo(claimed('earlier'));
  held.accept([claimed('later')]);
  held.takeBack(claimed('earlier'));
  expect(held.all()).toEqual([claimed('later')]);
});

test('C1: after a drop nothing is held, and nothing can be held again', () => {
  const held = createHeldClaims();
  held.accept([claimed('a'), claimed('b', 'call', 2)]);
  held.drop();
  held.takeBack(claimed('a'));
  expect([held.accept([claimed('c')]), held.size, held.has(claimed('a'))]).toEqual([[], 0, false]);
});
