import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { type Role, stateOf, until } from '../e2e/running-service.js';
import { dialed, nobodyWasWronged, service, startBatch, useService } from './batch-under-attack.js';

useService();

test('kill -9 of dialer, worker and api in the middle of a batch: no attempt is dialed twice and no recipient is lost', async () => {
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

test('Temporal’s database deleted in the middle of a batch: everything is built again from Postgres', async () => {
  const batchId = await startBatch();
  await dialed(60);
  const before = service.ready().pids.temporal;
  const folder = join(service.folder, 'temporal');
  // Nothing starts it again before its files are gone.
  process.kill(service.pid, 'SIGSTOP');
  service.signal('temporal', 'SIGKILL');
  await until(() => stateOf(before) === 'Z');
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
  process.kill(service.pid, 'SIGCONT');
  await until(() => service.ready().pids.temporal !== before);
  await nobodyWasWronged(batchId);
});
