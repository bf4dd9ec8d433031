import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { until } from '../e2e/running-service.js';
import { dialed, nobodyWasWronged, service, startBatch, useService } from './batch-under-attack.js';

useService();

test('Temporal’s database deleted in the middle of a batch: everything is built again from Postgres', async () => {
  const batchId = await startBatch();
  await dialed(60);
  const before = service.ready().pids.temporal;
  const folder = join(service.folder, 'temporal');
  service.signal('temporal', 'SIGKILL');
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
  await until(() => service.ready().pids.temporal !== before);
  await nobodyWasWronged(batchId);
});
