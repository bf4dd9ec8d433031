import { expect, test } from 'vitest';
import { comparisonOf } from '../../../bench/against.js';

const claim = (value: number | null) => ({ name: 'one claim', value, unit: 'ms' });
const parse = (value: number) => ({ name: 'parse', value, unit: 's' });

test('a figure of two builds is compared by the medians of its runs, with the spread of each', () => {
  const here = [[claim(3)], [claim(9)], [claim(4)]];
  const other = [[claim(2)], [claim(2)], [claim(1)]];
  expect(comparisonOf(here, other)).toEqual([
    { name: 'one claim', value: 2, unit: '×', note: '4 (3 to 9) ÷ 2 (1 to 2) ms, pairs: 3' },
  ]);
});

test('a figure that one build does not have, or could not measure once, is not compared', () => {
  expect(comparisonOf([[claim(3), parse(1)]], [[claim(2)]]).map(({ name }) => name)).toEqual(['one claim']);
  expect(comparisonOf([[claim(3)], [claim(null)]], [[claim(2)], [claim(2)]])).toEqual([]);
});
