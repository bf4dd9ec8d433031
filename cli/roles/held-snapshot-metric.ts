import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../../db/client.js';
import { oldestHeldSnapshot } from '../../db/queries/upkeep/held-snapshot.js';
import { sharedAnswer } from './shared-answer.js';

/** Adds a metric: the age of the oldest snapshot in the database, queried whenever the metrics are read. */
export function observeHeldSnapshot(registry: Registry, db: Db, withinMs?: number): void {
  const ask = sharedAnswer(() => oldestHeldSnapshot(db), withinMs);
  const gauge: Gauge = new Gauge({
    name: 'outdial_database_oldest_snapshot_seconds',
    help: 'Age of the oldest transaction that keeps PostgreSQL from cleaning up; while one is held, claims get slower.',
    registers: [registry],
    collect: async () => {
      // A database that is away, or does not answer, must not keep the other metrics.
      const held = await ask();
      if (held === undefined) gauge.remove();
      else gauge.set(held?.seconds ?? 0);
    },
  });
}
