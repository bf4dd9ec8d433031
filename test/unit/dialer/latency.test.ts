import { expect, test } from 'vitest';
import { createLatency } from '../../../dialer/latency.js';

const after = (...lateness: readonly number[]) => {
  const latency = createLatency();
  for (const ms of lateness) latency.known(ms);
  return latency.patienceMs;
};
const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);

test('an INVITE may leave a twentieth of a second after its slot where none needs longer', () => {
  expect(after(...times(32, 15))).toBe(50);
});

test('the first answers of a connection may take longer', () => {
  expect(after()).toBe(233);
  expect(after(...times(20, 15))).toBe(233);
});

test('patience is a quarter more than INVITEs have needed of late; a late one alone does not slow all others', () => {
  expect(after(...times(31, 15), 900)).toBe(50);
  expect(after(...times(30, 15), 400, 300)).toBe(395);
  expect(after(...times(40, 300), ...times(32, 15))).toBe(50);
});

test('no patience is longer than five seconds', () => {
  expect(after(...times(2, 60_000))).toBe(5_000);
});

test('an answer takes as long as the second longest of late', () => {
  const latency = createLatency();
  for (const ms of [...times(31, 5), 80]) latency.answered(ms);
  expect(latency.roundTripMs).toBe(5);
  latency.answered(60);
  expect(latency.roundTripMs).toBe(60);
});

test('the first free slot is now if patience covers what pace and gate take, else as far ahead as it does not', () => {
  const fast = createLatency();
  for (const ms of times(32, 5)) fast.answered(ms);
  for (const ms of times(32, 15)) fast.known(ms);
  expect(fast.leadMs).toBe(0);
  expect(createLatency().leadMs).toBe(0);

  const slow = createLatency();
  for (const ms of times(32, 80)) slow.answered(ms);
  for (const ms of times(32, 15)) slow.known(ms);
  // Of a patience of 50 ms the gate gives 25: it is asked 90 ms after pace was.
  expect(slow.leadMs).toBe(65);
});
