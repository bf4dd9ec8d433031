import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { versionName, versionTroubles, type WorkerVersion } from '../../domain/workflow/worker-versions.js';
import { readEnv } from '../../platform/env.js';
import type { WorkerVersions } from '../../worker/worker-versions.js';
import { CommandFailed, exitCodes } from '../client/exit-codes.js';
import { printLines } from '../client/output.js';
import { commandsWaitMs, openTemporal, sentencesOf } from '../roles/temporal.js';
import { numberBetween } from './numbers.js';

const lookAgainMs = 1_000;

interface UseFlags {
  readonly unversioned?: true;
  readonly ramp?: number;
  readonly wait: number;
}

/** `outdial worker-version`: which version of the workers takes new batches, and which may be ended. */
export function workerVersionCommands(program: Command): void {
  const group = program
    .command('worker-version')
    .description('Versions of the workers (OUTDIAL_WORKER_BUILD_ID), in the Temporal that the settings name');
  group
    .command('list')
    .description(
      'List the versions: which takes new batch calls, what still runs on each, and which workers can be stopped',
    )
    .option('--json', 'print one JSON array')
    .action(({ json }: { json?: true }) =>
      withVersions(async (versions) => {
        const listed = await versions.list();
        if (json === true) console.log(JSON.stringify(listed, null, 2));
        else if (listed.length === 0) console.log('No worker has had a version: OUTDIAL_WORKER_BUILD_ID is not set.');
        else printLines([...listed.map(lineOf), ...versionTroubles(listed)]);
      }),
    );
  group
    .command('use')
    .description('Start new batch calls on a version once its workers run; also goes back to an earlier one')
    .argument('[build]', 'its OUTDIAL_WORKER_BUILD_ID')
    .option('--unversioned', 'use workers without OUTDIAL_WORKER_BUILD_ID: switches versions off')
    .option(
      '--ramp <percent>',
      'only this share of the new batch calls; the others start where they do now',
      numberBetween(1, 100),
    )
    .option('--wait <seconds>', 'how long to wait for a worker of this version', numberBetween(0, 86_400), 120)
    .action((build: string | undefined, { unversioned, ramp, wait }: UseFlags) => {
      if ((build === undefined) === (unversioned !== true) || (ramp !== undefined && build === undefined)) {
        throw new CommandFailed(exitCodes.usage, 'Name one version, or --unversioned without --ramp.');
      }
      return withVersions((versions) => use(versions, build ?? null, ramp, wait));
    });
  group
    .command('retire')
    .description(
      'Move batch calls and calls from an old version to the current one, so that its workers can be stopped; nobody is called twice',
    )
    .argument('<build>', 'its OUTDIAL_WORKER_BUILD_ID')
    .action((build: string) => withVersions((versions) => retire(versions, build)));
}

async function withVersions(command: (versions: WorkerVersions) => Promise<void>): Promise<void> {
  const temporal = openTemporal(readEnv(), commandsWaitMs);
  try {
    const trouble = await temporal.whyNot();
    if (trouble !== null) throw new Error(sentencesOf(trouble));
    await command(temporal.workerVersions);
  } catch (error) {
    throw temporal.inWords(error);
  } finally {
    await temporal.close();
  }
}

function lineOf({ buildId, role, rampPercent, hasWorker, pinned, isNew, mayEnd }: WorkerVersion): string {
  const takes =
    role === 'current'
      ? 'current'
      : role === 'ramping'
        ? `takes ${rampPercent} % of new batch calls`
        : isNew
          ? 'has never taken work'
          : 'takes nothing new';
  const workers = hasWorker ? 'workers run' : 'no worker runs';
  const runs = buildId === null ? '' : `, ${pinned} workflows pinned to it`;
  return `${versionName(buildId)}: ${takes}, ${workers}${runs}${mayEnd && hasWorker ? '; its workers can be stopped' : ''}`;
}

const find = (listed: readonly WorkerVersion[], buildId: string | null): WorkerVersion | undefined =>
  listed.find((version) => version.buildId === buildId);

async function use(
  versions: WorkerVersions,
  buildId: string | null,
  ramp: number | undefined,
  waitSeconds: number,
): Promise<void> {
  const untilMs = Date.now() + waitSeconds * 1_000;
  let listed = await versions.list();
  for (; find(listed, buildId)?.hasWorker !== true; listed = await versions.list()) {
    if (Date.now() >= untilMs) {
      throw new Error(
        `No ${buildId === null ? 'worker without a version' : `worker of version ${buildId}`} asks for work: ` +
          `${buildId === null ? 'start one' : `start one with OUTDIAL_WORKER_BUILD_ID=${buildId}`}. Nothing has been changed.`,
      );
    }
    await pause(lookAgainMs);
  }
  const before = listed.find(({ role }) => role === 'current');
  if (ramp !== undefined && buildId !== null) {
    if (before?.buildId === buildId)
      throw new Error(`Version ${buildId} is current: it takes all new batch calls already.`);
    await versions.ramp(buildId, ramp);
    console.log(
      `${ramp} % of the new batch calls start on version ${buildId}, the rest on ${versionName(before?.buildId ?? null)}.`,
    );
    return;
  }
  await versions.makeCurrent(buildId);
  console.log(`New batch calls start on ${versionName(buildId)}.`);
  if (before === undefined || before.buildId === buildId) return;
  const back = `Back: outdial worker-version use ${before.buildId ?? '--unversioned'}`;
  console.log(
    before.buildId === null
      ? `Batch calls that workers without a version started go on there, too. ${back}`
      : `What is pinned to ${versionName(before.buildId)} finishes there: keep its workers until \`outdial worker-version list\` says that they can be stopped. ${back}`,
  );
}

async function retire(versions: WorkerVersions, buildId: string): Promise<void> {
  const listed = await versions.list();
  const version = find(listed, buildId);
  if (version === undefined) throw new Error(`There is no version ${buildId}: outdial worker-version list.`);
  if (version.role !== null) {
    throw new Error(
      `Version ${buildId} takes new batch calls: make another one current first, outdial worker-version use BUILD.`,
    );
  }
  if (!listed.some(({ role, hasWorker }) => role === 'current' && hasWorker)) {
    throw new Error('No worker of the current version runs, so nothing can take over. Nothing has been changed.');
  }
  let moved = 0;
  // What begins or goes on as a new run meanwhile is found by the next look: Temporal's list is a moment old.
  for (let clean = 0; clean < 2;) {
    const ended = await versions.release(buildId);
    moved += ended;
    clean = ended === 0 ? clean + 1 : 0;
    await pause(lookAgainMs);
  }
  console.log(
    `${moved} workflows start again on ${versionName(listed.find(({ role }) => role === 'current')?.buildId ?? null)}. Workers of version ${buildId} can be stopped.`,
  );
}
