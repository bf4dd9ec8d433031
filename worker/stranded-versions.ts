import type { StrandedVersions } from '../activities/deps.js';
import { isStranded, versionTroubles } from '../domain/workflow/worker-versions.js';
import type { Logger } from '../platform/logger.js';
import type { WorkerVersions } from './worker-versions.js';

/** So long may the workers of a version be away, to be started again or rolled, before others take their batches over. */
const awayMs = 300_000;

/**
 * Looks for batches and calls that are pinned to a version of which no worker runs. They are named at once, and are started again
 * on the current version when this process has seen no worker of theirs for five minutes.
 *
 * @param patienceMs how long it waits before it does so
 */
export function createStrandedVersions(
  versions: Pick<WorkerVersions, 'list' | 'release'>,
  logger: Logger,
  patienceMs = awayMs,
): StrandedVersions {
  /** Since when each has been seen without a worker, by this process's own clock. */
  const since = new Map<string | null, number>();
  return {
    async takeOver() {
      const listed = await versions.list();
      for (const trouble of versionTroubles(listed)) logger.warn(trouble);
      const stranded = listed.filter((version) => isStranded(version));
      const ids = new Set(stranded.map(({ buildId }) => buildId));
      for (const buildId of since.keys()) if (!ids.has(buildId)) since.delete(buildId);
      // Without a worker of the current version nobody could take anything over.
      if (!listed.some(({ role, hasWorker }) => role === 'current' && hasWorker)) return;
      for (const { buildId, role } of stranded) {
        const seenMs = since.get(buildId) ?? performance.now();
        since.set(buildId, seenMs);
        if (buildId === null || role === 'current' || performance.now() - seenMs < patienceMs) continue;
        const workflows = await versions.release(buildId);
        logger.warn(
          { buildId, workflows },
          'no worker of a version has run for minutes; what was pinned to it begins again on the current version',
        );
      }
    },
  };
}
