import { test } from 'vitest';
import { anotherDialer, until } from '../e2e/running-service.js';
import { dialed, invites, nobodyWasWronged, service, startBatch, useService } from './batch-under-attack.js';

useService();

test('a dialer that is stopped past its lease and wakes up again dials nothing that another has taken over', async () => {
  const batchId = await startBatch();
  const second = anotherDialer(service);
  try {
    await dialed(40);
    const invitesBefore = invites().length;
    service.signal('dialer', 'SIGSTOP');
    // The lease is over when the second dialer goes on with what the first one had claimed and held.
    await dialed(invitesBefore + 100);
    await until(() => invites().length >= 280);
    service.signal('dialer', 'SIGCONT');
    await nobodyWasWronged(batchId);
  } finally {
    second.kill('SIGTERM');
  }
});
