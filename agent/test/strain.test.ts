import { expect, test } from 'vitest';
import { nextStrain, noStrain, type Pulse, slotsFor, type Strain } from '../worker/strain.js';

const calm: Pulse = { processor: 0.5, lagMs: 20, greetingMs: null };
const slots = 8;

/** The strain after these seconds, one after another, with so many conversations. */
const after = (pulses: readonly Partial<Pulse>[], talking: number, from: Strain = noStrain(slots)): Strain =>
  pulses.reduce<Strain>((strain, pulse) => nextStrain(strain, { ...calm, ...pulse }, talking, slots), from);

test.each([
  ['a timer of its own or of a conversation is late', { lagMs: 400 }],
  ['a greeting comes later than a second from a busy machine', { greetingMs: 1_400, processor: 0.8 }],
])('F5: a worker offers nothing beyond what it has as soon as %s', (_, pulse) => {
  expect(after([pulse], 3).limit).toBe(3);
});

test('F5: full processors count after three seconds in a row: starting one process is no strain', () => {
  const full = { processor: 1 };
  expect(after([full, full, {}, full, full], 3).limit).toBe(8);
  expect(after([full, full, full], 3).limit).toBe(3);
});

test('F5: greetings in time, short delays and models that are slow on an idle machine change nothing', () => {
  expect(after([{ greetingMs: 900, processor: 0.9 }, { lagMs: 200 }, { greetingMs: 3_000 }], 3).limit).toBe(8);
});

test('F5: the limit comes back by one for each three calm seconds, up to the slots', () => {
  const strained = after([{ lagMs: 900 }], 2);
  expect(after([{}, {}], 2, strained).limit).toBe(2);
  expect(after([{}, {}, {}], 2, strained).limit).toBe(3);
  expect(after([{}, {}, { processor: 1 }, {}, {}], 2, strained).limit).toBe(2);
  expect(after(Array<Partial<Pulse>>(40).fill({}), 2, strained).limit).toBe(8);
});

test('F5: under strain the limit never rises, and one conversation is always offered', () => {
  const strained = after([{ lagMs: 900 }], 2);
  expect(after([{ lagMs: 900 }], 5, strained).limit).toBe(2);
  expect(after([{ lagMs: 900 }, { lagMs: 900 }], 0).limit).toBe(1);
});

test('F5: slots are two for each processor unless they are set', () => {
  expect([1, 2, 8].map(slotsFor)).toEqual([2, 4, 16]);
});
