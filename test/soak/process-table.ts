import { readdirSync, readFileSync } from 'node:fs';

/** A process as /proc shows it (Linux). */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** All processes that run now. */
export const processTable = (): ProcessRow[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => rowOf(Number(name)));

function rowOf(pid: number): ProcessRow[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [{ pid, parent: Number(parent), group: Number(group) }];
  } catch {
    return []; // it has ended meanwhile
  }
}

export const childrenOf = (parent: number): number[] =>
  processTable().flatMap((row) => (row.parent === parent ? [row.pid] : []));

/** Children, their children and so on. */
export function descendantsOf(pids: readonly number[], table: readonly ProcessRow[] = processTable()): number[] {
  const children = table.flatMap((row) => (pids.includes(row.parent) ? [row.pid] : []));
  return children.length === 0 ? [] : [...children, ...descendantsOf(children, table)];
}

/**
 * Parents of this process that the same command has started, such as npm and `.ci/run`; not the shell or the session that the
 * command was typed into, which may end while the command goes on.
 */
export function parentsInGroup(pid: number, table: readonly ProcessRow[] = processTable()): number[] {
  const own = table.find((row) => row.pid === pid);
  const parent = table.find((row) => row.pid === own?.parent);
  if (own === undefined || parent?.group !== own.group) return [];
  return [parent.pid, ...parentsInGroup(parent.pid, table)];
}
