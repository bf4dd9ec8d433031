import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceBetween } from '../../../domain/phone/nearness.js';

const nearest = (callee: string, numbers: readonly string[]) =>
  numbers.toSorted((a, b) => distanceBetween(a, callee) - distanceBetween(b, callee))[0];

test('a number of the same area code is nearer than one of the same country, and that than one of another', () => {
  expect(nearest('+14155550123', ['+442079460958', '+12125550100', '+14155550100'])).toBe('+14155550100');
  expect(nearest('+13105550123', ['+442079460958', '+12125550100'])).toBe('+12125550100');
  expect(nearest('+442079460111', ['+12125550100', '+441632960000', '+442079460958'])).toBe('+442079460958');
});

test('Canada is another country than the United States, although both have +1', () => {
  expect(nearest('+14165550123', ['+12125550100', '+16045550100'])).toBe('+16045550100');
  expect(nearest('+12125550123', ['+16045550100', '+13105550100'])).toBe('+13105550100');
});

test('the distance is the same both ways, nothing to itself, and never beyond that to another country', () => {
  const number = fc.constantFrom('+14155550123', '+14165550123', '+442079460958', '+919877012345', '+88213000001');
  fc.assert(
    fc.property(number, number, (one, other) => {
      const distance = distanceBetween(one, other);
      expect(distance).toBe(distanceBetween(other, one));
      expect(distance).toBeGreaterThanOrEqual(0);
      expect(distance).toBeLessThanOrEqual(100);
      expect(distanceBetween(one, one)).toBe(0);
    }),
  );
});
