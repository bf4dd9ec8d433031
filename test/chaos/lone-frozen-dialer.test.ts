import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { until } from '../e2e/running-service.js';
import { dialed, nobodyWasWronged, service, startBatch, useService } from './batch-under-attack.js';

useService();

test('C1: a lone dialer that is stopped past its lease and wakes up again dials nothing twice and loses nobody', async () => {
  const batchId = await startBatch();
  const stateOf = () => readFileSync(`/proc/${service.ready().pids.dialer}/stat`, 'utf8').split(' ')[2];
  for (const afterInvites of [40, 120]) {
    await dialed(afterInvites);
    const { pids } = service.ready();
    service.signal('dialer', 'SIGSTOP');
    await until(() => stateOf() === 'T');
    // Its lease of 15 s runs out while what it has claimed, and its ringing legs, wait for it.
    const stoppedMs = performance.now();
    await until(() => performance.now() - stoppedMs > 17_000);
    service.signal('dialer', 'SIGCONT');
    expect(service.ready().pids.dialer).toBe(pids.dialer);
  }
  await nobodyWasWronged(batchId);
});
