import { Gauge, type Registry } from 'prom-client';
import { noVersions, stateOf, versionsInUse } from '../../domain/workflow/worker-versions.js';
import { within } from '../../platform/within.js';
import type { WorkerVersions } from '../../worker/worker-versions.js';

const answerWithinMs = 2_000;

/**
 * Adds a metric of what is pinned to the versions of the workers, asked of Temporal whenever the metrics are read. Without versions it has
 * no value, and neither while Temporal is away.
 */
export function observeWorkerVersions(registry: Registry, versions: Pick<WorkerVersions, 'list'>): void {
  const gauge = new Gauge<'build_id' | 'state' | 'has_worker'>({
    name: 'outdial_worker_version_workflows',
    help: 'Running workflows of batches and calls that are pinned to a version of the workers, by its state and whether a worker of it runs; build_id is empty for workers without one.',
    labelNames: ['build_id', 'state', 'has_worker'],
    registers: [registry],
    collect: async () => {
      // Other metrics must not wait for a Temporal that is away.
      const listed = await within(answerWithinMs, versions.list()).catch(() => []);
      gauge.reset();
      for (const version of versionsInUse({ ...noVersions, versions: listed })) {
        const { buildId, hasWorker, pinned } = version;
        gauge.set({ build_id: buildId ?? '', state: stateOf(version), has_worker: String(hasWorker) }, pinned);
      }
    },
  });
}
