import { z } from 'zod';
import { carrierOf } from '../cli/up/ready.js';
import { callsPerWorkflow } from '../domain/batch/fan-out.js';
import { readEnv } from '../platform/env.js';
import { whatTheLedgerDenies } from './ledger-check.js';
import { csvOf, isBusyFirst } from './numbers.js';
import { canReadProcesses, cpuMs, peakMb, resetPeak, watchFamily } from './processes.js';
import { watchProfile } from './profile/profile.js';
import type { Result } from './result.js';
import { callsPerSecondOfALine, noneIs, type RunningService, upload } from './service.js';

const retry = { retryOn: ['rejected'], retryDelays: [1] };
/** Fewer if fewer are measured. */
const mostWarmUpCalls = 160;

const Finished = z.looseObject({
  status: z.literal('completed'),
  recordsUploaded: z.number(),
  counts: z.looseObject({ answered: z.number() }),
  completedAt: z.iso.datetime(),
});

/**
 * Calls per second through everything: uploaded over HTTP, parsed, carried by workflows, dialed, retried, settled. From the
 * first upload to the end of the last batch. Also what each process used for it.
 *
 * @param options `profile`: a folder for what the time was spent on; the service must have been started to be profiled
 *
 * @throws if a call is unaccounted for or was dialed otherwise than once for each attempt: then no figure counts
 */
export async function measureThroughput(
  service: RunningService,
  { calls, profile }: { readonly calls: number; readonly profile?: string | undefined },
  say: (line: string) => void,
): Promise<{ readonly callsPerSecond: number; readonly results: readonly Result[] }> {
  const lineCount = service.lines.length;
  const warmUpCalls = Math.min(mostWarmUpCalls, calls);
  await run(service, 0, warmUpCalls);
  say(`Calling ${calls} numbers in ${lineCount} batches.`);
  const writeProfile = profile === undefined ? undefined : await watchProfile(service, profile);
  const usage = watchUsage(service);
  const seconds = await run(service, warmUpCalls, warmUpCalls + calls);
  const used = await usage(calls);
  await writeProfile?.(calls);
  const denied = await whatTheLedgerDenies(carrierOf(service.ready).ledger, 0, warmUpCalls + calls);
  if (denied.length > 0) throw new Error(`The carrier's ledger says otherwise: ${denied.slice(0, 10).join('; ')}`);

  const callsPerSecond = calls / seconds;
  const attempts = Array.from({ length: calls }, (_, place) => (isBusyFirst(warmUpCalls + place) ? 2 : 1));
  const invites = attempts.reduce((sum, each) => sum + each, 0);
  const most = lineCount * callsPerSecondOfALine;
  const perWorkflow = callsPerWorkflow(Math.ceil(calls / lineCount), readEnv().OUTDIAL_CALLS_PER_WORKFLOW);
  return {
    callsPerSecond,
    results: [
      {
        name: 'whole system',
        value: callsPerSecond,
        unit: 'calls/s',
        note:
          `${calls} calls, ${invites} attempts in ${seconds.toFixed(1)} s; 30 % busy, again after 1 s; ` +
          `${lineCount} batches and gateways, which allow ${most} attempts/s; ${perWorkflow} calls per workflow`,
      },
      ...used,
    ],
  };
}

/** @returns seconds from the first upload to the end of the last batch */
async function run(service: RunningService, from: number, to: number): Promise<number> {
  const share = Math.ceil((to - from) / service.lines.length);
  const startedAt = Date.now();
  const batchIds = await Promise.all(
    service.lines.map((line, place) => {
      const [first, next] = [from + place * share, Math.min(to, from + (place + 1) * share)];
      return upload(service, { name: `Numbers ${first} to ${next}`, from: line, csv: csvOf(first, next), retry });
    }),
  );
  await noneIs(service, 'parsing', 'running');
  const batches = await Promise.all(
    batchIds.map(async (batchId) => service.api.get(`/v1/batch-calls/${batchId}`, Finished)),
  );
  const answered = batches.reduce((sum, { counts }) => sum + counts.answered, 0);
  if (answered !== to - from) throw new Error(`Of ${to - from} calls ${answered} were answered.`);
  return (Math.max(...batches.map(({ completedAt }) => Date.parse(completedAt))) - startedAt) / 1000;
}

/** Watches every process of the service. @returns ends the watch and tells what so many calls took */
function watchUsage({ ready }: RunningService): (calls: number) => Promise<readonly Result[]> {
  if (!canReadProcesses) return async () => [];
  const pids = Object.entries(ready.pids).flatMap(([name, pid]) => (pid === null ? [] : [{ name, pid }]));
  const before = pids.map(({ pid }) => cpuMs(pid));
  for (const { name, pid } of pids) if (name !== 'postgres') resetPeak(pid);
  const postgres = watchFamily(ready.pids.postgres);
  return async (calls) => {
    const perCall = pids.map(({ pid }, place) => (cpuMs(pid) - (before[place] ?? 0)) / calls);
    const postgresMb = await postgres();
    return [
      ...pids.map(({ name }, place) => ({
        name: `processor: ${name}`,
        value: perCall[place] ?? NaN,
        unit: 'ms/call',
      })),
      {
        name: 'processor: all',
        value: perCall.reduce((sum, each) => sum + each, 0),
        unit: 'ms/call',
        note: 'the same run; user and system time',
      },
      ...pids.map(({ name, pid }) => ({
        name: `memory: ${name}`,
        value: name === 'postgres' ? postgresMb : peakMb(pid),
        unit: 'MiB',
        note:
          name === 'postgres'
            ? 'peak of all its processes, shared memory counted once; sampled'
            : 'peak resident during the same run',
      })),
    ];
  };
}
