import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { showWatched } from '../../../cli/client/batch/display.js';
import { tableOf } from '../../../cli/client/output.js';
import { cutTo, widthOf } from '../../../cli/client/width.js';

test.each([
  ['Zoë', 3],
  ['Zoe\u0308', 3],
  ['日本語', 6],
  ['한국', 4],
  ['👍🏽 ok', 5],
  ['👩‍👩‍👧', 2],
  ['❤️', 2],
  ['a\u200Bb', 2],
  ['', 0],
])('%s takes %i columns of a terminal', (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

test('a text is cut between letters, so that it fits with its …', () => {
  expect(cutTo('日本語の名前', 12)).toBe('日本語の名前');
  expect(cutTo('日本語の名前', 8)).toBe('日本語…');
  expect(cutTo('abcdef', 4)).toBe('abc…');
});

test('columns of a table stay below each other beside names of wide letters', () => {
  const [, first = '', second = ''] = tableOf(
    ['name', 'id'],
    [
      ['日本語', 'batch_1'],
      ['Reminders', 'batch_2'],
    ],
  );
  const before = (line: string) => widthOf(line.slice(0, line.indexOf('batch_')));
  expect(before(first)).toBe(before(second));
});

test('the bar of a batch with a long name of wide letters is drawn in lines that fit the terminal', () => {
  const written: string[] = [];
  const stream = { isTTY: true, columns: 40, write: (text: string) => written.push(text) };
  const batch = {
    ...{ batchId: 'batch_1', batchName: '名前'.repeat(30), status: 'running', recordsUploaded: 9, recordsRejected: 0 },
    ...{ parseError: null, paused: false, simulated: true, counts: { answered: 3 } },
    ...{ waiting: { total: 6 }, waitingFor: '待つ'.repeat(30) },
  };
  showWatched(stream as unknown as NodeJS.WriteStream).show(batch);
  const lines = stripVTControlCharacters(written.join('')).trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines.filter((line) => widthOf(line) >= 40)).toEqual([]);
});
