/** A version of the workers, as Temporal knows it. */
export interface WorkerVersion {
  /** OUTDIAL_WORKER_BUILD_ID of its workers; null: workers without one. */
  readonly buildId: string | null;
  /** What new workflows begin on. `ramping`: a part of them. */
  readonly role: 'current' | 'ramping' | null;
  /** The part of a ramping version, of a hundred. */
  readonly rampPercent: number | null;
  /** Whether a worker of it has asked for work within the last minute and a half. */
  readonly hasWorker: boolean;
  /** Running workflows that only its workers carry on. */
  readonly pinned: number;
  /** It has never been current or ramping. */
  readonly isNew: boolean;
  /** Its workers may be ended: nothing runs on it, and nothing will begin on it. */
  readonly mayEnd: boolean;
}

/**
 * What becomes of a version. `draining`: nothing new begins on it, and what it began still runs; `drained`: its workers may be ended;
 * `new`: it has never taken work.
 */
export const workerVersionStates = ['current', 'ramping', 'draining', 'drained', 'new'] as const;
export type WorkerVersionState = (typeof workerVersionStates)[number];

export function stateOf({ role, isNew, mayEnd }: WorkerVersion): WorkerVersionState {
  if (role !== null) return role;
  if (isNew) return 'new';
  return mayEnd ? 'drained' : 'draining';
}

/** `temporal`: it has not answered for a minute. `worker`: it answers, and no worker of any version has asked for work lately. */
export type MissingOfTemporal = 'temporal' | 'worker';

/** What waits meanwhile. */
export const missingSentences: Readonly<Record<MissingOfTemporal, string>> = {
  temporal:
    'Temporal does not answer: calls in the queue are dialed, and files, starts, retries and ends of batch calls wait.',
  worker: 'No worker runs: calls in the queue are dialed, and files, starts, retries and ends of batch calls wait.',
};

/** The versions of the workers as they were a moment ago, and the batches that no worker carries on. */
export interface WorkersNow {
  /** What nothing goes on without; null: all is there. */
  readonly missing: MissingOfTemporal | null;
  /** None if workers have no versions, and while Temporal is away. */
  readonly versions: readonly WorkerVersion[];
  /** The version that a batch's workflow is pinned to, by the id of the batch: of versions of which no worker runs. */
  readonly strandedBatches: ReadonlyMap<string, string>;
}

export const noVersions: WorkersNow = { missing: null, versions: [], strandedBatches: new Map() };

/** Those that somebody may want to know of: Temporal also lists versions that are over. */
export const versionsInUse = ({ versions }: WorkersNow): readonly WorkerVersion[] =>
  versions.filter((version) => version.hasWorker || stateOf(version) !== 'drained');

/** What a batch waits for whose workflow is pinned to a version without workers. */
export const strandedSentence = (buildId: string): string =>
  `It waits for a worker of version ${buildId}, which no longer runs: calls in the queue are dialed, retries and its end wait.`;

/** How people read a version's name. */
export const versionName = (buildId: string | null): string =>
  buildId === null ? 'workers without a version' : `version ${buildId} of the workers`;

/** What runs on a version that no worker carries on. */
export const isStranded = ({ pinned, hasWorker }: WorkerVersion): boolean => pinned > 0 && !hasWorker;

const workflows = (count: number): string =>
  count === 1 ? '1 workflow of a batch or call is' : `${count} workflows of batches and calls are`;

/** What somebody has to do about the versions of the workers, a sentence for each. */
export function versionTroubles(versions: readonly WorkerVersion[]): string[] {
  const current = versions.find(({ role }) => role === 'current');
  const troubles = versions
    .filter((version) => isStranded(version))
    .map(
      ({ buildId, pinned }) =>
        `${workflows(pinned)} pinned to version ${buildId}, and no worker of it runs: retries and ends wait. Start its workers ` +
        `again, or have the others take over: outdial worker-version retire ${buildId}.`,
    );
  if (current === undefined) return troubles;
  const candidates = versions.filter(({ hasWorker, role }) => hasWorker && role !== 'current');
  if (!current.hasWorker && candidates.length > 0) {
    const [next] = candidates;
    troubles.push(
      `${current.buildId === null ? 'No version of the workers is current, and no worker without a version runs' : `Version ${current.buildId} of the workers is current, and no worker of it runs`}: ` +
        `nothing new begins. outdial worker-version use ${next?.buildId ?? '--unversioned'} makes workers that run take it.`,
    );
  } else {
    troubles.push(
      ...candidates
        .filter(({ isNew, role }) => isNew && role === null)
        .map(
          ({ buildId }) =>
            `Workers of version ${buildId} run and take no work: ${current.buildId === null ? 'workers without a version take it' : `the current version is ${current.buildId}`}. ` +
            `outdial worker-version use ${buildId} makes it current.`,
        ),
    );
  }
  return troubles;
}

/** Global name that is defined in the workflows' code on workers with a version. */
export const versionedWorkerMark = 'outdialWorkerHasVersion';
