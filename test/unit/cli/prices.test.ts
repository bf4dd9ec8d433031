import { expect, test } from 'vitest';
import { PutPrices } from '../../../api/account/prices-schema.js';
import { priceOf, withPrices } from '../../../cli/client/account/prices.js';

test.each([
  ['any=0.02', { perMinute: 0.02 }],
  ['IN=0.0085/30', { country: 'IN', perMinute: 0.0085, incrementSeconds: 30 }],
  ['001=3', { country: '001', perMinute: 3 }],
  ['gwo_0198=1', { gatewayId: 'gwo_0198', perMinute: 1 }],
  [
    'gwo_0198/US=0.007/6/30',
    { gatewayId: 'gwo_0198', country: 'US', perMinute: 0.007, incrementSeconds: 6, minimumSeconds: 30 },
  ],
])('%s is a price of the API', (text, price) => {
  expect(priceOf(text)).toEqual(price);
  expect(PutPrices.safeParse({ currency: 'USD', calls: [price] }).error).toBeUndefined();
});

test.each([
  '0.02',
  'any',
  'IN=',
  'IN=much',
  'India=1',
  'in=1',
  'gwo_1/=1',
  'gwo_1/us=1',
  '=1',
  'IN=1/x',
  'IN=1/2/3/4',
  'IN=-1',
  'IN=1e3',
])('%s is refused with what a price looks like', (text) => {
  expect(() => priceOf(text)).toThrow(/any=0\.02|such as IN/);
});

test('prices that are not named stay, those that are take the place of the ones for the same calls', () => {
  const before = [
    { perMinute: 1 },
    { country: 'IN', perMinute: 2 },
    { gatewayId: 'gwo_1', country: 'IN', perMinute: 3 },
  ];
  const after = withPrices(before, [priceOf('IN=5'), priceOf('US=6')]);
  expect(after).toEqual([before[0], before[2], { country: 'IN', perMinute: 5 }, { country: 'US', perMinute: 6 }]);
  expect(() => withPrices([], [priceOf('IN=5'), priceOf('IN=6')])).toThrow('Two prices are for IN');
});
