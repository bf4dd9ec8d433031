import { test } from 'vitest';
import { type Role, until } from '../e2e/running-service.js';
import { dialed, nobodyWasWronged, service, startBatch, useService } from './batch-under-attack.js';

useService();

test('kill -9 of dialer, worker and api in the middle of a batch: no attempt is dialed twice and nobody is lost', async () => {
  const batchId = await startBatch();
  const deaths: readonly [afterInvites: number, Role][] = [
    [20, 'dialer'],
    [70, 'worker'],
    [120, 'api'],
    [170, 'dialer'],
    [220, 'worker'],
    [260, 'dialer'],
  ];
  for (const [afterInvites, role] of deaths) {
    await dialed(afterInvites);
    const before = service.ready().pids[role];
    service.signal(role, 'SIGKILL');
    await until(() => service.ready().pids[role] !== before);
  }
  await nobodyWasWronged(batchId);
});
