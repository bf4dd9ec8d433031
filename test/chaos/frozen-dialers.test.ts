import { once } from 'node:events';
import { expect, test } from 'vitest';
import { anotherDialer, stateOf, until } from '../e2e/running-service.js';
import { dialed, invites, nobodyWasWronged, service, startBatch, useService } from './batch-under-attack.js';

useService();

test('C1: a lone dialer that is stopped past its lease and wakes up again dials nothing twice and loses no recipient', async () => {
  const batchId = await startBatch();
  await dialed(40);
  const { pids } = service.ready();
  service.signal('dialer', 'SIGSTOP');
  await until(() => stateOf(pids.dialer) === 'T');
  // Its lease of 15 s runs out while what it has claimed, and its ringing legs, wait for it.
  const stoppedMs = performance.now();
  await until(() => performance.now() - stoppedMs > 17_000);
  service.signal('dialer', 'SIGCONT');
  await nobodyWasWronged(batchId);
  expect(service.ready().pids.dialer).toBe(pids.dialer);
});

test('a dialer that is stopped past its lease and wakes up again dials nothing that another has taken over', async () => {
  const batchId = await startBatch();
  const second = anotherDialer(service);
  try {
    await dialed(40);
    const before = invites().length;
    service.signal('dialer', 'SIGSTOP');
    // The lease is over when the second dialer goes on with what the first one had claimed and held.
    await dialed(before + 100);
    await dialed(280);
    service.signal('dialer', 'SIGCONT');
    await nobodyWasWronged(batchId);
  } finally {
    const over = once(second, 'exit');
    second.kill('SIGTERM');
    await over;
  }
});
