import { expect, test } from 'vitest';
import {
  boundedReason,
  mergedMetadata,
  pauseAfterFailures,
  readPreDialAnswer,
} from '../../../domain/batch/pre-dial.js';

const verdictOf = (entry: unknown) => {
  const read = readPreDialAnswer(JSON.stringify({ records: { rec_1: entry } }), ['rec_1']);
  return 'problem' in read ? read : read.verdicts[0];
};

test('an answer is read record by record, in the order of those who were asked about', () => {
  const text = JSON.stringify({
    records: { b: { eligible: false, reason: 'No' }, a: { eligible: true }, stranger: 7 },
  });
  expect(readPreDialAnswer(text, ['a', 'b', 'c'])).toEqual({
    verdicts: [
      { kind: 'cleared', metadata: null },
      { kind: 'refused', reason: 'No' },
      { kind: 'unusable', why: 'the answer does not name the recipient' },
    ],
  });
});

test.each([
  [7, 'must be an object such as {"eligible":true}'],
  [{ eligible: 'yes' }, 'eligible must be true or false'],
  [{ eligible: false, reason: {} }, 'reason must be a text'],
  [{ eligible: true, metadata: [] }, 'metadata must be an object'],
  [{ eligible: true, metadata: { ' ': 1 } }, 'metadata must have names of 1 to 1000 characters'],
  [{ eligible: true, metadata: { a: '\u0000' } }, 'metadata must not contain NUL or broken characters'],
  [{ eligible: true, metadata: { a: ['\ud800'] } }, 'metadata must not contain NUL or broken characters'],
  [
    { eligible: true, metadata: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`n${n}`, 1])) },
    'metadata must have at most 200 names',
  ],
])('of %j nothing is used', (entry, why) => {
  expect(verdictOf(entry)).toEqual({ kind: 'unusable', why });
});

test('a text that only looks like an escape is metadata like any other', () => {
  expect(verdictOf({ eligible: true, metadata: { path: 'C:\\u0000' } })).toMatchObject({ kind: 'cleared' });
});

test.each([
  '',
  'no',
  '[]',
  '{"records":[]}',
  `{"records":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`,
  '{"records":{"__proto__":{}}}',
])('%s is no answer at all', (text) => {
  expect(readPreDialAnswer(text, ['a'])).toEqual({ problem: expect.stringMatching(/^the answer /) as unknown });
});

test('a reason is one line of at most 200 characters', () => {
  expect(boundedReason('  two\n lines\u0000 ')).toBe('two lines');
  expect(boundedReason('é'.repeat(300))).toBe('é'.repeat(200));
  expect(boundedReason(' \n ')).toBeNull();
});

test('metadata keeps its order, takes what is new behind it, and its limit of 16 KB', () => {
  expect(mergedMetadata('{"a":"1","b":"2"}', { c: 3, a: 'x' })).toEqual({
    before: '{"a":"1","b":"2"}',
    after: '{"a":"x","b":"2","c":3}',
    names: ['c', 'a'],
  });
  expect(mergedMetadata('{}', { a: 'x'.repeat(17_000) })).toBe('too_large');
});

test('the pauses of an endpoint that fails double up to half a minute', () => {
  expect([1, 2, 3, 5, 6, 500].map(pauseAfterFailures)).toEqual([1, 2, 4, 16, 30, 30]);
});
