import { isStranded, noVersions, type WorkersNow } from '../../domain/workflow/worker-versions.js';
import type { WorkerVersions } from '../../worker/worker-versions.js';

const everyMs = 10_000;
/** What was known so long ago is not told any more. */
const forgottenMs = 60_000;
/** Roles start one after the other, and workers ask anew after Temporal has been started again: until then none is missing. */
const patienceMs = 30_000;

export interface VersionWatch {
  /** What was found last; nothing before the first look, and of versions nothing while Temporal is away. */
  now(): WorkersNow;
  /** Asks Temporal, unless it is being asked. Never rejects. */
  look(): Promise<void>;
  close(): void;
}

/** Asks Temporal for the workers and their versions every ten seconds, so that no request has to wait for it. */
export function watchVersions(
  versions: Pick<WorkerVersions, 'list' | 'batchesOn' | 'hasWorker'>,
  nowMs: () => number = () => performance.now(),
): VersionWatch {
  let known = noVersions;
  let knownAtMs = nowMs();
  let workerSeenAtMs = nowMs();
  let looking: Promise<void> | undefined;

  async function read(): Promise<WorkersNow> {
    const listed = await versions.list();
    const strandedBatches = new Map<string, string>();
    for (const { buildId } of listed.filter((version) => isStranded(version))) {
      if (buildId === null) continue;
      for (const batchId of await versions.batchesOn(buildId)) strandedBatches.set(batchId, buildId);
    }
    // The list has asked who works, unless there are no versions.
    const isWorked = listed.length > 0 ? listed.some(({ hasWorker }) => hasWorker) : await versions.hasWorker();
    if (isWorked) workerSeenAtMs = nowMs();
    const missing = nowMs() - workerSeenAtMs > patienceMs ? 'worker' : null;
    return { missing, versions: listed, strandedBatches };
  }

  async function find(): Promise<void> {
    try {
      known = await read();
      knownAtMs = nowMs();
    } catch {
      if (nowMs() - knownAtMs > forgottenMs) known = { ...noVersions, missing: 'temporal' };
    } finally {
      looking = undefined;
    }
  }

  const look = (): Promise<void> => (looking ??= find());
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  void look();
  return { now: () => known, look, close: () => clearInterval(timer) };
}
