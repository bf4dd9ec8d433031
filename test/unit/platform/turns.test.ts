import { expect, test } from 'vitest';
import { createTurns, TooManyWaiting } from '../../../platform/turns.js';

/** Work that goes on until it is told to end. */
function work() {
  let begun = false;
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  return {
    run: () => {
      begun = true;
      return over;
    },
    begun: () => begun,
    end: () => end(),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('P2-7: an owner that waits for itself holds up no other', async () => {
  const turns = createTurns({ atOnce: 2, perOwner: 1, waitingPerOwner: 2 });
  const [alice, aliceNext, bob, carol] = [work(), work(), work(), work()];
  const done = [
    turns.take('alice', alice.run),
    turns.take('alice', aliceNext.run),
    turns.take('bob', bob.run),
    turns.take('carol', carol.run),
  ];
  await settled();
  expect([alice.begun(), aliceNext.begun(), bob.begun(), carol.begun()]).toEqual([true, false, true, false]);
  bob.end();
  await settled();
  expect([aliceNext.begun(), carol.begun()]).toEqual([false, true]);
  alice.end();
  await settled();
  expect(aliceNext.begun()).toBe(true);
  carol.end();
  aliceNext.end();
  await Promise.all(done);
});

test('P2-7: who has too much waiting is refused, and what fails gives its place back', async () => {
  const turns = createTurns({ atOnce: 1, perOwner: 1, waitingPerOwner: 1 });
  await expect(turns.take('alice', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const [first, second] = [work(), work()];
  const done = [turns.take('alice', first.run), turns.take('alice', second.run)];
  await expect(turns.take('alice', work().run)).rejects.toThrow(TooManyWaiting);
  first.end();
  second.end();
  await Promise.all(done);
});
