import { expect, test } from 'vitest';
import { isAllowedNumberForm, isNumberAllowed } from '../../../domain/phone/allowed-number.js';

// shows: rule.allowed-numbers
test.each(['+14155550100', '+91*', '+1*', '+4420*'])('%s can be an entry', (entry) => {
  expect(isAllowedNumberForm(entry)).toBe(true);
});

test.each(['*', '+*', '+0*', '91*', '+91**', '+9*1', '+91 *', '4155550100', '+123', ''])('%j cannot', (entry) => {
  expect(isAllowedNumberForm(entry)).toBe(false);
});

// shows: rule.allowed-numbers
test('an empty list lets every number through, any other only what it names', () => {
  expect(isNumberAllowed([], '+14155550100')).toBe(true);
  expect(isNumberAllowed(['+91*', '+14155550100'], '+14155550100')).toBe(true);
  expect(isNumberAllowed(['+91*', '+14155550100'], '+919877012345')).toBe(true);
  expect(isNumberAllowed(['+91*', '+14155550100'], '+14155550101')).toBe(false);
});
