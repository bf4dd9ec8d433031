import { expect, test } from 'vitest';
import { commonAddresses } from '../../../platform/ip-address.js';

test.each<[readonly string[], readonly string[], readonly string[] | null]>([
  [[], [], []],
  [[], ['203.0.113.7'], ['203.0.113.7']],
  [['198.51.100.0/24'], ['198.51.100.128/25', '203.0.113.0/24'], ['198.51.100.128/25']],
  [['198.51.100.0/24'], ['198.51.100.7'], ['198.51.100.7']],
  [['203.0.113.7'], ['203.0.113.7'], ['203.0.113.7']],
  [['2001:db8::/32'], ['2001:db8:1::/48', '198.51.100.0/24'], ['2001:db8:1::/48']],
  [['198.51.100.0/25'], ['198.51.100.128/25'], null],
  [['0.0.0.0/0'], ['2001:db8::1'], null],
])('%j and %j have %j in common', (one, other, common) => {
  expect(commonAddresses(one, other)).toEqual(common);
  expect(commonAddresses(other, one)).toEqual(common);
});
