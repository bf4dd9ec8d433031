import { expect, test } from 'vitest';
import { createLedger } from '../../workflows/call-ledger.js';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const nothingOdd = { later: [], settled: [], astray: [] };

test('an attempt is due once, at its time, and the earliest of all is what is waited for', () => {
  const ledger = createLedger();
  ledger.load(
    [
      ['a', 1, null, false],
      ['b', 2, at(50), false],
      ['c', 3, at(20), false],
      ['d', 1, at(0), true],
    ],
    10_000,
  );
  expect(ledger.moveDue(10_000, 0)).toEqual([['a', 1]]);
  expect(ledger.nextDueMs()).toBe(20_000);
  expect(ledger.moveDue(50_000, 0)).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
  expect(ledger.nextDueMs()).toBeNull();
  expect(ledger.moveDue(99_000, 0)).toEqual([]);
  expect(ledger.progress()).toEqual({ open: 4, queued: 4, waiting: 0, nextDueAt: null });
});

test('what falls due in a moment goes with what is due now, and what is due later does not', () => {
  const ledger = createLedger();
  ledger.load(
    [
      ['a', 2, at(10), false],
      ['b', 2, at(12), false],
      ['c', 2, at(13), false],
    ],
    9_000,
  );
  expect(ledger.moveDue(10_000, 2_000)).toEqual([
    ['a', 2],
    ['b', 2],
  ]);
  expect(ledger.nextDueMs()).toBe(13_000);
});

test('of what is told about a call only what is new counts', () => {
  const ledger = createLedger();
  ledger.load([['a', 2, null, true]], 0);
  ledger.take([['a', 1, null]]);
  ledger.take([['a', 1, at(5)]]);
  expect(ledger.list()).toEqual([{ callId: 'a', attempt: 2, dueAt: null }]);
  ledger.take([['a', 4, at(60)]]);
  expect(ledger.list()).toEqual([{ callId: 'a', attempt: 5, dueAt: at(60) }]);
  ledger.take([['a', 4, null]]);
  expect(ledger.isEmpty()).toBe(false);
  ledger.take([['a', 5, null]]);
  ledger.take([['unknown', 1, at(60)]]);
  expect(ledger.isEmpty()).toBe(true);
});

test('calls that the queue found settled are done with', () => {
  const ledger = createLedger();
  ledger.load(
    [
      ['a', 1, null, false],
      ['b', 1, null, false],
    ],
    0,
  );
  const due = ledger.moveDue(0, 0);
  ledger.noteAnswer(due, { ...nothingOdd, settled: [1] });
  expect(ledger.list().map(({ callId }) => callId)).toEqual(['a']);
});

test('the first pass is done when a tenth of it is open, closed windows not counted', () => {
  const ledger = createLedger();
  const ids = Array.from({ length: 20 }, (_, index) => `call-${index}`);
  ledger.load(
    ids.map((id) => [id, 1, null, false] as const),
    0,
  );
  const due = ledger.moveDue(0, 0);
  ledger.noteAnswer(due, { ...nothingOdd, later: [0, 1, 2, 3, 4] });
  ledger.take(ids.slice(5, 17).map((id) => [id, 1, null] as const));
  expect(ledger.firstPassDone()).toBe(false);
  ledger.take([['call-17', 1, at(60)]]);
  expect(ledger.firstPassDone()).toBe(true);
});

test('nor does the first pass wait for those whose notBefore lies far ahead', () => {
  const ledger = createLedger();
  ledger.load(
    Array.from({ length: 10 }, (_, index) => [`call-${index}`, 1, index < 3 ? at(3_600) : null, false] as const),
    0,
  );
  ledger.take(Array.from({ length: 6 }, (_, index) => [`call-${index + 3}`, 1, null] as const));
  expect(ledger.firstPassDone()).toBe(true);
});

test('what is carried over to the next run is all that it needs', () => {
  const ledger = createLedger();
  ledger.load(
    [
      ['a', 1, at(100), true],
      ['b', 2, at(30), false],
    ],
    0,
  );
  const next = createLedger(ledger.carry());
  expect(next.list()).toEqual(ledger.list());
  expect(next.carry()).toEqual(ledger.carry());
  expect(next.firstPassDone()).toBe(ledger.firstPassDone());
});
