import { expect, test } from 'vitest';
import { pastedRecipients } from '../../../console/batch/pasted.js';

test('a number on each line is a recipient; empty lines are none', () => {
  expect(pastedRecipients('+14155550123\r\n\n  \n +14155550124 \n')).toEqual([
    { phoneNumber: '+14155550123' },
    { phoneNumber: '+14155550124' },
  ]);
  expect(pastedRecipients('')).toEqual([]);
});

test.each(['\t', ',', ';'])('a first line without a digit names the columns of a spreadsheet (%j)', (mark) => {
  const lines = [
    ['phone_number', 'name', ''],
    ['+14155550123', 'Anna', 'without a name'],
    ['+14155550124', ''],
  ];
  expect(pastedRecipients(lines.map((cells) => cells.join(mark)).join('\n'))).toEqual([
    { phoneNumber: '+14155550123', metadata: { name: 'Anna' } },
    { phoneNumber: '+14155550124' },
  ]);
});

test('cells beside a number are left out if nothing names them, and none becomes a number', () => {
  expect(pastedRecipients('+14155550123,Anna 2\n+14155550124')).toEqual([
    { phoneNumber: '+14155550123' },
    { phoneNumber: '+14155550124' },
  ]);
});

test('what is no number is sent as it is, for the API says what is wrong with it', () => {
  expect(pastedRecipients('+1415\n12 x')).toEqual([{ phoneNumber: '+1415' }, { phoneNumber: '12 x' }]);
});
