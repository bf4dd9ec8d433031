import { describe, expect, test } from 'vitest';
import { type NumberReading, readNumberCell } from '../../../domain/phone/phone-number-cell.js';

const faultOf = (reading: NumberReading): string => ('fault' in reading ? reading.fault : reading.phoneNumber);

describe('a cell of the phone_number column', () => {
  // shows: rows.excel
  test.each([
    ['+919877012345', '+919877012345'],
    ['', 'missing_number'],
    ['   ', 'missing_number'],
    [' - ', 'missing_number'],
    ["'", 'missing_number'],
    ['919877012345', 'missing_plus'],
    ["'919877012345", 'missing_plus'],
    ['00919877012345', 'missing_plus'],
    ['(212) 555-0123', 'missing_plus'],
    ['212.555.0123', 'missing_plus'],
    ['919877012345.0', 'missing_plus'],
    ['1234567', 'missing_plus'],
    ['123456', 'invalid_number'],
    ['123456789012345', 'missing_plus'],
    ['1234567890123456', 'invalid_number'],
    ['9.19877E+11', 'excel_number'],
    ['9,19877E+11', 'excel_number'],
    ['9.19877e11', 'excel_number'],
    ['+9.19877E+11', 'excel_number'],
    ['9E+11', 'excel_number'],
    [' 9.19877E+11 ', 'excel_number'],
    ['n/a', 'invalid_number'],
    ['+', 'invalid_number'],
    ['+91', 'invalid_number'],
    ['+9991234567', 'invalid_number'],
    ['+12125550123, +12125550124', 'invalid_number'],
    ['=HYPERLINK("tel:1")', 'invalid_number'],
  ])('%j is %s', (cell, expected) => {
    expect(faultOf(readNumberCell(cell, 'reject'))).toBe(expected);
  });

  test('the message says how to correct a number that begins with 00', () => {
    expect(readNumberCell('00 91 98770 12345', 'reject')).toMatchObject({
      message: expect.stringContaining('+919877012345') as string,
    });
  });

  test('a number of New Zealand is not made of a New York number that has lost its +1', () => {
    expect(faultOf(readNumberCell('6461234567', 'reject'))).toBe('missing_plus');
  });
});

describe('a cell that a spreadsheet has made something else of', () => {
  test.each(['#N/A', '#REF!', '#NAME?', '#DIV/0!', '#SPILL!', '#GETTING_DATA', ' #VALUE! '])(
    'the error %s is named, and what to do',
    (cell) => {
      expect(readNumberCell(cell, 'add')).toMatchObject({
        fault: 'invalid_number',
        message: expect.stringMatching(/shows the error "#.*" in place of a number\. Repair its formula/) as string,
      });
    },
  );

  test.each(['2025-12-01', '2025-12-01T12:00:00', '1987-01-31'])('the date %s is named', (cell) => {
    expect(readNumberCell(cell, 'reject')).toMatchObject({
      fault: 'invalid_number',
      message: expect.stringMatching(/holds the date \d{4}-\d\d-\d\d in place of a number/) as string,
    });
  });

  test('nobody in Denmark is called whose number has the digits of a date', () => {
    expect(faultOf(readNumberCell('20251201', 'reject', 'DK'))).toBe('+4520251201');
    expect(faultOf(readNumberCell('2025-12-01', 'reject', 'DK'))).toBe('invalid_number');
    expect(faultOf(readNumberCell('20-25-12-01', 'reject', 'DK'))).toBe('+4520251201');
  });
});

describe('with the + added', () => {
  test.each([
    ['919877012345', '+919877012345'],
    ['(91) 98770-12345', '+919877012345'],
    ['919877012345.0', '+919877012345'],
    ['5551234567', 'invalid_number'],
    ['00919877012345', 'missing_plus'],
    ['9.19877E+11', 'excel_number'],
    ['', 'missing_number'],
  ])('%j is %s', (cell, expected) => {
    expect(faultOf(readNumberCell(cell, 'add'))).toBe(expected);
  });

  test('a number that had its + needs only be possible', () => {
    expect(faultOf(readNumberCell('+5551234567', 'add'))).toBe(faultOf(readNumberCell('+5551234567', 'reject')));
  });

  // shows: rows.corrected
  test('the result counts as corrected', () => {
    expect(readNumberCell('919877012345', 'add')).toEqual({ phoneNumber: '+919877012345', corrected: true });
    expect(readNumberCell('+919877012345', 'add')).toEqual({ phoneNumber: '+919877012345', corrected: false });
  });
});
