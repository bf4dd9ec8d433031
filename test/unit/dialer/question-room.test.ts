import { expect, test } from 'vitest';
import { createQuestionRoom } from '../../../dialer/question-room.js';

let made = 0;
const laneOf = (accountId: string) => ({ accountId, batchId: `batch_${(made += 1)}`, gatewayId: 'gateway' });
const full = (room: ReturnType<typeof createQuestionRoom>) => room.underWay().fullAccounts;

test('an account that was never asked has one question under way until it has ended, then four', () => {
  const room = createQuestionRoom();
  const first = laneOf('a');
  room.take(first);
  expect(full(room)).toEqual(['a']);
  room.took('a', 20);
  room.leave(first);
  for (let more = 0; more < 3; more += 1) room.take(laneOf('a'));
  expect(full(room)).toEqual([]);
  room.take(laneOf('a'));
  expect(full(room)).toEqual(['a']);
});

test('accounts whose last question took more than a second have 32 of 64 questions together; others keep the rest', () => {
  const room = createQuestionRoom();
  const slow = Array.from({ length: 9 }, (_, n) => `slow${n}`);
  for (const account of [...slow, 'quick']) room.took(account, account === 'quick' ? 1_000 : 1_001);
  for (const account of slow.slice(0, 8)) for (let n = 0; n < 4; n += 1) room.take(laneOf(account));
  expect(full(room).toSorted()).toEqual(slow);
  expect(room.hasRoom()).toBe(true);
  room.took('slow8', 10);
  expect(full(room)).not.toContain('slow8');
});

test('one queue has two questions under way, and no process more than 64', () => {
  const room = createQuestionRoom();
  const lane = laneOf('a');
  const again = { ...lane };
  room.take(lane);
  expect(room.underWay().fullLanes).toEqual([]);
  room.take(again);
  expect(room.underWay().fullLanes).toEqual([`${lane.batchId} gateway`]);
  expect(room.underWay().accounts).toEqual(new Map([['a', 2]]));
  room.leave(again);
  expect(room.underWay().fullLanes).toEqual([]);
  for (let n = 0; n < 63; n += 1) room.take(laneOf(`b${n}`));
  expect(room.hasRoom()).toBe(false);
});
