import { expect, test } from 'vitest';
import { endOfHangUp, eventLine, invited, type LegEvent, nextCourse } from '../../../telephony/simulator/leg-course.js';

const order = {
  callId: 'call',
  attempt: 1,
  invite: 1,
  gatewayId: 'gwo_x',
  room: 'room',
  to: '+15550100001',
  from: '+15550100002',
  ringTimeoutSeconds: 60,
  maxCallSeconds: 600,
};
const [first, second, third] = ['2026-11-21T10:00:01Z', '2026-11-21T10:00:02Z', '2026-11-21T10:00:03Z'] as const;
const ringing: LegEvent = { type: 'ringing' };
const answered: LegEvent = { type: 'answered', answeredBy: 'human' };
const over: LegEvent = { type: 'over', ending: { how: 'ended', reason: 'callee_hung_up', sipStatusCode: 200 } };

test('the end of an answered leg tells when it was answered, by whom, and that it rang', () => {
  const talking = nextCourse(nextCourse(invited, ringing, first), answered, second);
  expect(eventLine(order, talking, over, third, undefined)).toMatchObject({
    event: 'ended',
    at: third,
    rang: true,
    answeredAt: second,
    answeredBy: 'human',
    reason: 'callee_hung_up',
  });
});

test('a leg that is over stays as it was: a late answer changes nothing', () => {
  const ended = nextCourse(invited, over, first);
  expect(nextCourse(ended, answered, second)).toEqual({ rang: false, answered: null, over: true });
});

test('a refusal is written as rejected, with the reason of the trunk before its own', () => {
  const refused: LegEvent = { type: 'over', ending: { how: 'refused', sipStatusCode: 503, sipPhrase: 'Limit' } };
  expect(eventLine(order, invited, refused, first, 'calls_per_second')).toMatchObject({
    event: 'rejected',
    sipStatusCode: 503,
    rang: false,
    reason: 'calls_per_second',
  });
});

test('a hang-up ends an answered leg and cancels one that still rings', () => {
  const ringingLeg = nextCourse(invited, ringing, first);
  expect(endOfHangUp(ringingLeg, 'enough')).toMatchObject({ how: 'cancelled', sipStatusCode: 487 });
  expect(endOfHangUp(nextCourse(ringingLeg, answered, second), 'enough')).toMatchObject({
    how: 'ended',
    sipStatusCode: 200,
  });
});
