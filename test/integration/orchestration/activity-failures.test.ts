import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { requireTurn } from '../../../activities/reading-turn.js';
import { countFailures } from '../../../worker/count-failures.js';
import { shareOfAccount } from '../../../worker/share-of-account.js';

test('runs of activities that fail are counted by activity, and not those that wait for their turn or are ended', async () => {
  const registry = new Registry();
  const counted = countFailures(registry);
  const run = async (activityType: string, work: () => void, ...inner: ReturnType<typeof countFailures>[]) => {
    const environment = new MockActivityEnvironment({ activityType }, { interceptors: [counted, ...inner] });
    // Async, as activities are.
    await environment
      .run(async () => {
        await Promise.resolve();
        work();
      })
      .catch(() => undefined);
  };
  const fail = (error: Error) => () => {
    throw error;
  };
  await run('deleteExpired', fail(new Error('refused')));
  await run('deleteExpired', fail(new Error('refused')));
  await run('parseBatch', () => undefined);
  await run('parseBatch', () => requireTurn(3));
  await run('parseBatch', fail(new CancelledFailure('the worker stops')));
  await run('tryDelivery', () => undefined, shareOfAccount(0));
  await run('batchFacts', fail(new TypeError('a mistake')));
  const [failures] = await registry.getMetricsAsJSON();
  expect(failures?.values.map(({ labels, value }) => [labels.activity, value])).toEqual([
    ['deleteExpired', 2],
    ['batchFacts', 1],
  ]);
});
