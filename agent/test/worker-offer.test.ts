import { expect, test } from 'vitest';
import { nextPhase, offeredSlots } from '../worker/offer.js';

const idle = { talking: 0, warm: 2, promised: 0 };

test('a worker is ready only when it has registered and a process is warm', () => {
  expect(nextPhase('warming', false, 1)).toBe('warming');
  expect(nextPhase('warming', true, 0)).toBe('warming');
  expect(nextPhase('warming', true, 1)).toBe('ready');
});

test('a worker that drains stays so, however many processes are warm', () => {
  expect(nextPhase('draining', true, 4)).toBe('draining');
});

test('a worker offers a slot for each conversation and each warm process, no more than configured', () => {
  expect(offeredSlots('ready', 10, { talking: 3, warm: 2, promised: 0 })).toBe(5);
  expect(offeredSlots('ready', 4, { talking: 3, warm: 2, promised: 0 })).toBe(4);
});

test('a process that a job was promised is not offered twice', () => {
  expect(offeredSlots('ready', 10, { talking: 0, warm: 1, promised: 1 })).toBe(0);
  expect(offeredSlots('ready', 10, { talking: 0, warm: 0, promised: 1 })).toBe(0);
});

test('a worker that warms up or drains offers nothing', () => {
  expect([offeredSlots('warming', 10, idle), offeredSlots('draining', 10, idle)]).toEqual([0, 0]);
});
