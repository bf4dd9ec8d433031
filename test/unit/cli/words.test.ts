import { expect, test } from 'vitest';
import { retryOf, scheduleOf, stopOf, variantsOf, windowOf, windowsOf } from '../../../cli/client/batch/words.js';
import { durationOf } from '../../../cli/client/batch/report.js';
import { printable } from '../../../cli/client/printable.js';

test.each([
  ['5m,1h', { retryOn: ['missed', 'not-answered'], retryDelays: [300, 3600] }],
  ['missed,rejected:90', { retryOn: ['missed', 'rejected'], retryDelays: [90] }],
  ['voicemail:1d', { retryOn: ['voicemail'], retryDelays: [86_400] }],
  ['{"retryOn":["failed"],"retryDelays":[5]}', { retryOn: ['failed'], retryDelays: [5] }],
])('--retry %s', (text, retry) => expect(retryOf(text)).toEqual(retry));

test.each([
  ['9:00-17:00', { from: '09:00', until: '17:00' }],
  ['09:00-17:00 mon-fri', { from: '09:00', until: '17:00', daysOfWeek: [1, 2, 3, 4, 5] }],
  [
    '22:00-24:00 Sun,mon-tue Asia/Tokyo',
    { from: '22:00', until: '24:00', daysOfWeek: [7, 1, 2], timezone: 'Asia/Tokyo' },
  ],
  ['09:00-17:00 fri-mon', { from: '09:00', until: '17:00', daysOfWeek: [5, 6, 7, 1] }],
  ['09:00-17:00 recipient', { from: '09:00', until: '17:00', timezone: 'recipient' }],
])('--window %s', (text, window) => expect(windowOf(text)).toEqual(window));

test.each([
  ['100 answered', { answered: 100 }],
  ['{"success":20}', { success: 20 }],
])('--stop-after %s', (text, stop) => expect(stopOf(text)).toEqual(stop));

test.each([
  [
    ['agt_a=70', 'agt_b/ver_c=30'],
    [
      { agentId: 'agt_a', weight: 70 },
      { agentId: 'agt_b', versionId: 'ver_c', weight: 30 },
    ],
  ],
  [
    ['agt_a', 'agt_b'],
    [
      { agentId: 'agt_a', weight: 1 },
      { agentId: 'agt_b', weight: 1 },
    ],
  ],
  [['[{"agentId":"agt_a","weight":1}]'], [{ agentId: 'agt_a', weight: 1 }]],
])('--variant %j', (texts, variants) => expect(variantsOf(texts)).toEqual(variants));

test('--variant refuses what names no agent, with an example', () => {
  expect(() => variantsOf(['70%'])).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining('such as') }),
  );
});

test.each([
  [retryOf, 'soon'],
  [retryOf, '5m,'],
  [retryOf, '{"retryOn":'],
  [windowOf, '9-17'],
  [windowOf, '09:00-17:00 fri-mon sat-sun'],
  [windowOf, '09:00-17:00 a b'],
  [scheduleOf, 'tomorrow'],
  [stopOf, 'answered'],
  [stopOf, '5 calls'],
])('%o refuses %s with an example', (read, text) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringMatching(/such as|not valid JSON/) }),
  );
});

test.each([
  [60, '60 s'],
  [91, '2 min'],
  [5_400, '1 h 30 min'],
  [7_200, '2 h'],
])('%i seconds are %s', (seconds, words) => expect(durationOf(seconds)).toBe(words));

test('what the service sends cannot move the cursor or turn the direction of writing', () => {
  expect(printable('a\u001B[2Jb\u202Ec\nd')).toBe('a [2Jb c d');
});

test('several windows become a list, the dates without calls stand in the first, and dates need a window', () => {
  const morning = { from: '09:00', until: '12:00' };
  const except = ['2027-12-25', '2027-12-26', '2028-01-01'];
  expect(windowsOf()).toBeUndefined();
  expect(windowsOf(['9:00-12:00'])).toEqual(morning);
  expect(windowsOf(['9:00-12:00'], ['2027-12-25,2027-12-26', '2028-01-01'])).toEqual({ ...morning, except });
  expect(windowsOf(['9:00-12:00', '14:00-18:00 sat'], except)).toEqual([
    { ...morning, except },
    { from: '14:00', until: '18:00', daysOfWeek: [6] },
  ]);
  expect(windowsOf([JSON.stringify([morning])])).toEqual([morning]);
  expect(() => windowsOf([], except)).toThrow('--except needs');
});
