import { expect, test } from 'vitest';
import { createTurns, type Place, TooManyWaiting } from '../../../platform/turns.js';

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

test('P2-7: the next place is for the owner who has the fewest, however many others came before', async () => {
  const turns = createTurns({ atOnce: 3, perOwner: 2, waitingPerOwner: 2 });
  const [first, second, third, fourth, late] = [work(), work(), work(), work(), work()];
  const done = [
    turns.take('alice', first.run),
    turns.take('alice', second.run),
    turns.take('bob', third.run),
    turns.take('bob', fourth.run),
    turns.take('carol', late.run),
  ];
  await settled();
  expect([third.begun(), fourth.begun(), late.begun()]).toEqual([true, false, false]);
  first.end();
  await settled();
  expect([fourth.begun(), late.begun()]).toEqual([false, true]);
  for (const each of [second, third, fourth, late]) each.end();
  await Promise.all(done);
});

test('P2-7: a place is wanted only while all are taken and an owner without any waits', async () => {
  const turns = createTurns({ atOnce: 2, perOwner: 2, waitingPerOwner: 2 });
  const [first, second, own, other] = [work(), work(), work(), work()];
  let held: Place | undefined;
  const done = [
    turns.take('alice', (place) => {
      held = place;
      return first.run();
    }),
  ];
  expect(held?.isWanted()).toBe(false);
  done.push(turns.take('alice', second.run), turns.take('alice', own.run));
  expect(held?.isWanted()).toBe(false);
  done.push(turns.take('bob', other.run));
  expect(held?.isWanted()).toBe(true);
  second.end();
  await settled();
  expect([other.begun(), held?.isWanted()]).toEqual([true, false]);
  for (const each of [first, own, other]) each.end();
  await Promise.all(done);
});
