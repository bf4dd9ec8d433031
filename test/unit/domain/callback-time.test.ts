import { expect, test } from 'vitest';
import { callbackTime } from '../../../domain/call/callback-time.js';

const rules = {
  now: new Date('2027-03-13T12:00:00Z'),
  ...{ zone: 'America/New_York', zones: [], timezone: 'America/New_York', window: null, withinDays: 300 },
  ...{ callingHours: [], ofNumber: ['America/New_York'] },
};

test.each([
  ['that the change of clocks leaves out is an hour later', '2027-03-14T02:30', '2027-03-14T07:30:00Z'],
  ['that comes twice is the first of both', '2027-11-07T01:30', '2027-11-07T05:30:00Z'],
  ['with seconds is read', ' 2027-03-15T17:00:30 ', '2027-03-15T21:00:30Z'],
])('a time %s', (_which, text, at) => {
  expect(callbackTime(text, rules)).toMatchObject({ at: new Date(at) });
});

test('a time that comes twice is the second one while clocks show that hour again', () => {
  const again = { ...rules, now: new Date('2027-11-07T06:10:00Z') }; // 01:10 in New York, for the second time
  expect(callbackTime('2027-11-07T01:30', again)).toMatchObject({ at: new Date('2027-11-07T06:30:00Z') });
  expect(callbackTime('2027-11-07T01:05', again)).toMatchObject({
    problem: expect.stringContaining('is over') as string,
  });
});

test('a window that never opens lets nothing be promised', () => {
  const window = { from: '09:00', until: '10:00', daysOfWeek: [1], timezone: 'recipient' };
  const zones = ['America/New_York', 'Asia/Tokyo'];
  expect(callbackTime('2027-03-15T09:30', { ...rules, window, zones })).toEqual({
    problem: 'No calls are made at such times. Say that you cannot promise one.',
  });
});

test('hours of guardrails must be open in all zones that the number may be in, and within the window', () => {
  const callingHours = [
    { from: '09:00', until: '17:00', daysOfWeek: [1, 2, 3, 4, 5] },
    { from: '08:00', until: '16:30', daysOfWeek: [1, 2, 3, 4, 5] },
  ];
  const ofNumber = ['America/New_York', 'America/Los_Angeles'];
  const window = { from: '13:00', until: '20:00', daysOfWeek: [1, 2, 3, 4, 5], timezone: 'America/New_York' };
  const asked = (text: string) => callbackTime(text, { ...rules, callingHours, ofNumber, window });
  // 09:00 in Los Angeles is noon in New York, and the window begins an hour later.
  expect(asked('2027-03-15T12:30')).toMatchObject({ problem: expect.stringContaining('begin at 13:00') as string });
  expect(asked('2027-03-15T13:00')).toMatchObject({ at: new Date('2027-03-15T17:00:00Z') });
  expect(asked('2027-03-15T16:30')).toMatchObject({ problem: expect.stringContaining('13:00') as string });
});
