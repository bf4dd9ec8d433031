import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../../db/client.js';
import { oldestHeldSnapshot } from '../../db/queries/upkeep/held-snapshot.js';
import { within } from '../../platform/within.js';
import { readWithinMs } from './backlog-metrics.js';

/** Adds a metric: the age of the oldest snapshot in the database, queried whenever the metrics are read. */
export function observeHeldSnapshot(registry: Registry, db: Db, withinMs = readWithinMs): void {
  type Held = Awaited<ReturnType<typeof oldestHeldSnapshot>>;
  let asked: Promise<Held | undefined> | null = null;
  const gauge: Gauge = new Gauge({
    name: 'outdial_database_oldest_snapshot_seconds',
    help: 'Age of the oldest transaction that keeps PostgreSQL from cleaning up; while one is held, claims get slower.',
    registers: [registry],
    collect: async () => {
      // A database that is away, or does not answer, must not keep the other metrics.
      asked ??= oldestHeldSnapshot(db)
        .catch(() => undefined)
        .finally(() => {
          asked = null;
        });
      const held = await within(withinMs, asked).catch(() => undefined);
      if (held === undefined) gauge.remove();
      else gauge.set(held?.seconds ?? 0);
    },
  });
}
