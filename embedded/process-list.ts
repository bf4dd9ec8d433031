import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { endProcess } from './process-identity.js';
import { writeWhole } from './whole-file.js';

const Entries = z.record(z.string(), z.object({ pid: z.number().int().min(2), startedAt: z.string() }));

/** The processes of a supervisor, on disk, so that the next supervisor finds those that a kill -9 of the first left behind. */
export interface ProcessList {
  set(name: string, child: { readonly pid: number; readonly startedAt: string }): void;
  remove(name: string): void;
  /** Name → pid of what runs. */
  pids(): Readonly<Record<string, number>>;
  /** Name → pid of what runs, and of what ran last under a name of which nothing runs now. */
  latestPids(): Readonly<Record<string, number>>;
}

export function openProcessList(path: string): ProcessList {
  const entries: z.infer<typeof Entries> = {};
  const latest = new Map<string, number>();
  const save = () => writeWhole(path, JSON.stringify(entries));
  save();
  return {
    set: (name, { pid, startedAt }) => {
      entries[name] = { pid, startedAt };
      latest.set(name, pid);
      save();
    },
    remove: (name) => {
      Reflect.deleteProperty(entries, name);
      save();
    },
    pids: () => Object.fromEntries(Object.entries(entries).map(([name, { pid }]) => [name, pid])),
    latestPids: () => Object.fromEntries(latest),
  };
}

/**
 * Ends what an earlier supervisor left running, and nothing else: a pid counts only with the start that was written down.
 * @returns names of what the list held
 */
export async function endLeftovers(path: string): Promise<string[]> {
  const entries = readEntries(path);
  await Promise.all(
    Object.entries(entries).map(async ([name, identity]) => {
      await endProcess(identity, name === 'postgres' ? 'SIGINT' : 'SIGTERM', 5_000);
    }),
  );
  return Object.keys(entries);
}

function readEntries(path: string): z.infer<typeof Entries> {
  try {
    return Entries.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {}; // none there, or one that a power cut tore: nothing of it can still run
  }
}
