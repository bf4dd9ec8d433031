import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** What a process has used, read from Linux's /proc; elsewhere there is nothing to read, and results are omitted. */
export const canReadProcesses = existsSync('/proc/self/status');

/** The kernel counts processor time in ticks of a hundredth of a second on every platform that Node runs on. */
const msPerTick = 10;
const sampleEveryMs = 250;

const text = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it has ended meanwhile
  }
};

/** Fields of /proc/<pid>/stat from the third on: the second, the name, may hold spaces. */
const statFields = (pid: number): readonly string[] => {
  const stat = text(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** A process and all that came from it and still runs: a PostgreSQL server is one process per connection. */
function family(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(statFields(Number(name))[1])] as const),
  );
  const found = [pid];
  for (const each of found) for (const [child, parent] of parents) if (parent === each) found.push(child);
  return found;
}

/** Processor time so far in milliseconds, of the process, its children, and those of its children that have ended. */
export function cpuMs(pid: number): number {
  const ticks = family(pid).map((each) => {
    const fields = statFields(each);
    const own = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
    return own + Number(fields[13] ?? 0) + Number(fields[14] ?? 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * msPerTick;
}

const statusMb = (pid: number, field: string): number => {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text(pid, 'status'));
  return Number(found?.[1] ?? 0) / 1024;
};

/** Most memory that the process has had at any time since the last reset, in MiB. */
export const peakMb = (pid: number): number => statusMb(pid, 'VmHWM');

/** Makes the peak start again from what the process has now. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** What all processes of a family have together: each one's own memory, and what they share once. In MiB. */
function familyMb(pid: number): number {
  const members = family(pid);
  const sharedMb = (field: string) => Math.max(...members.map((each) => statusMb(each, field)));
  const own = members.reduce((sum, each) => sum + statusMb(each, 'RssAnon'), 0);
  return own + sharedMb('RssShmem') + sharedMb('RssFile');
}

/** Watches the memory of a family of processes. @returns ends the watch and tells the most that was seen, in MiB */
export function watchFamily(pid: number): () => Promise<number> {
  const ending = new AbortController();
  let most = familyMb(pid);
  const watching = (async () => {
    while (!ending.signal.aborted) {
      await delay(sampleEveryMs, undefined, { signal: ending.signal }).catch(() => undefined); // the condition sees it
      most = Math.max(most, familyMb(pid));
    }
  })();
  return async () => {
    ending.abort();
    await watching;
    return most;
  };
}
