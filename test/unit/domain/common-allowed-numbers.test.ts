import { expect, test } from 'vitest';
import { commonAllowedNumbers } from '../../../domain/phone/allowed-number.js';

test.each<[readonly string[], readonly string[], readonly string[] | null]>([
  [[], [], []],
  [[], ['+15550100001'], ['+15550100001']],
  [['+44*'], [], ['+44*']],
  [['+15550100001', '+15550100002'], ['+15550100002'], ['+15550100002']],
  [['+4420*'], ['+44*'], ['+4420*']],
  [['+44*'], ['+442071234567', '+15550100001'], ['+442071234567']],
  [['+44*'], ['+44*'], ['+44*']],
  [['+442071234567'], ['+4420*', '+15550100001'], ['+442071234567']],
  [['+44*'], ['+1*'], null],
  [['+442071234567'], ['+442071234568'], null],
])('of %j and %j both let %j through', (one, other, common) => {
  expect(commonAllowedNumbers(one, other)).toEqual(common);
  expect(commonAllowedNumbers(other, one)).toEqual(common);
});
