import { expect, test } from 'vitest';
import { nextDeliveryDelaySeconds } from '../../../domain/webhooks/retry.js';

// shows: webhooks.retries
test('a webhook that is not accepted is tried at growing distances for a day, and then no more', () => {
  const triedAt = [0];
  for (;;) {
    const last = triedAt.at(-1) ?? 0;
    const delay = nextDeliveryDelaySeconds(triedAt.length, last);
    if (delay === null) break;
    triedAt.push(last + delay);
  }

  const delays = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0));
  expect(delays.slice(0, 8)).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 7_200]);
  expect(new Set(delays.slice(6))).toEqual(new Set([7_200]));
  const end = triedAt.at(-1) ?? 0;
  expect(end).toBeLessThanOrEqual(86_400);
  expect(end + 7_200).toBeGreaterThan(86_400);
});

test('a try that would come after the day is not made', () => {
  expect(nextDeliveryDelaySeconds(1, 86_395)).toBe(5);
  expect(nextDeliveryDelaySeconds(1, 86_396)).toBeNull();
});
