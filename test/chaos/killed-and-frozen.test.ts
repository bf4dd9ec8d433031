import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anotherDialer, type Role, stateOf, until } from '../e2e/running-service.js';
import { dialed, invites, nobodyWasWronged, service, startBatch, useService } from './batch-under-attack.js';

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
