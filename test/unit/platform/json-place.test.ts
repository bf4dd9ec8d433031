import { expect, test } from 'vitest';
import { placeOfJsonFault } from '../../../platform/json-place.js';

test.each([
  ['{"broken', 'line 1, column 9: the text ends there'],
  ['{', 'line 1, column 2: the text ends there'],
  ['{"a":tru', 'line 1, column 9: the text ends there'],
  ['{]', 'line 1, column 2'],
  ['\u0000', 'line 1, column 1'],
  ['hello', 'line 1, column 1'],
  ["{'a':1}", 'line 1, column 2'],
  ['{"a":1}}', 'line 1, column 8'],
  ['{"a":\n  1,}', 'line 2, column 5'],
  ['{"a":\n  1,, "b": 2}', 'line 2, column 5'],
  ['{"a":1 "b":2}', 'line 1, column 8'],
  ['[1 2]', 'line 1, column 4'],
  ['{"a" 1}', 'line 1, column 6'],
  ['{"a":nul}', 'line 1, column 9'],
  ['{"a":"x\ny"}', 'line 1, column 8'],
])('%j stops being JSON at %s', (text, place) => {
  expect(placeOfJsonFault(text)).toBe(place);
});

test.each(['{}', '[]', '1', '"text"', ' {"a": [1, 2]} '])('%j has no fault', (text) => {
  expect(placeOfJsonFault(text)).toBeNull();
});
