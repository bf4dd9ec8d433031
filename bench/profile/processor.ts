import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** What `node` is started with so that its threads can be profiled. */
export const profiledNode = (folder: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${new URL('./preload.js', import.meta.url).href}`.trim(),
  BENCH_PROFILE_FOLDER: folder,
});

const Profile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});
type Profile = z.infer<typeof Profile>;

/** How long a process may take to write its profile. */
const writtenWithinMs = 60_000;
const lines = 40;

/** Starts or ends the profiles of these processes, which must have been started with `profiledNode`. */
export function toggleProfiles(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGWINCH');
}

/** Names of the files of these processes' profiles: the folder may hold those of other runs. */
const profilesOf = (folder: string, pids: readonly number[]): readonly string[] =>
  readdirSync(folder).filter((name) => pids.some((pid) => name.includes(`-${pid}-`)));

/** @throws if a thread of a process has not written its profile in time */
export async function profilesWritten(folder: string, pids: readonly number[]): Promise<void> {
  const until = performance.now() + writtenWithinMs;
  const areWritten = () => {
    const names = profilesOf(folder, pids);
    return (
      pids.every((pid) => names.some((name) => name.endsWith(`-${pid}-0.cpuprofile`))) &&
      names.every((name) => name.endsWith('.cpuprofile'))
    );
  };
  while (!areWritten()) {
    if (performance.now() > until) throw new Error('A process of the service has not written its profile.');
    await delay(100);
  }
}

/** Which functions of each thread of these processes the processor spent its time in, longest first. */
export const processorReport = (folder: string, pids: readonly number[]): string =>
  profilesOf(folder, pids)
    .toSorted()
    .map((name) => `## ${name}\n\n${threadReport(Profile.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))}`)
    .join('\n\n');

function threadReport({ nodes, samples, timeDeltas }: Profile): string {
  const functions = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [byFunction, byFile] = [new Map<string, number>(), new Map<string, number>()];
  let busyUs = 0;
  for (const [place, id] of samples.entries()) {
    const frame = functions.get(id);
    const spentUs = timeDeltas[place] ?? 0;
    if (frame === undefined || frame.functionName === '(idle)') continue;
    busyUs += spentUs;
    const file = fileOf(frame.url);
    add(byFunction, `${frame.functionName || '(anonymous)'}  ${file}:${frame.lineNumber + 1}`, spentUs);
    add(byFile, file === '' ? frame.functionName : file, spentUs);
  }
  const shares = (spent: ReadonlyMap<string, number>) =>
    [...spent]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, lines)
      .map(
        ([name, us]) =>
          `${((100 * us) / busyUs).toFixed(1).padStart(5)} %  ${(us / 1000).toFixed(0).padStart(6)} ms  ${name}`,
      )
      .join('\n');
  return `${(busyUs / 1000).toFixed(0)} ms busy\n\n${shares(byFunction)}\n\nBy file:\n\n${shares(byFile)}`;
}

const add = (sums: Map<string, number>, name: string, value: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + value);
};

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The package of a file of others, the path of one of ours. */
function fileOf(url: string): string {
  const [, inPackage] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (inPackage !== undefined) return inPackage;
  if (!url.startsWith('file:')) return url;
  const path = relative(root, fileURLToPath(url));
  return path.startsWith('..') ? basename(path) : path;
}
