import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { identify, isRunning, type ProcessIdentity } from './process-identity.js';

const Owner = z.object({ pid: z.number().int(), startedAt: z.string() });

/** Another living process works on the same data. */
export class DataInUse extends Error {
  override readonly name = 'DataInUse';
  constructor(
    folder: string,
    readonly pid: number,
  ) {
    super(
      `Outdial already runs on ${folder} (process ${pid}). Stop that one first, or name another folder with --data.`,
    );
  }
}

export interface DataLock {
  release(): void;
}

/**
 * Takes a data folder for this process alone. The lock holds its owner's pid and start: that of an owner that is gone,
 * however it went, is taken over, and a pid that another process has now does not keep the lock.
 * @throws DataInUse while the owner lives
 */
export function lockData(folder: string): DataLock {
  // Tokens, keys and people's numbers are in there.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const taken = takeLock(join(folder, 'up.lock'));
  if ('pid' in taken) throw new DataInUse(folder, taken.pid);
  return taken;
}

/**
 * Makes a file that says that this process alone does something. One whose owner is gone is taken over.
 *
 * @returns the living process that has made it before, if there is one
 */
export function takeLock(lock: string): DataLock | ProcessIdentity {
  const mine = `${lock}.${randomUUID()}`;
  const text = JSON.stringify(identify(process.pid));
  try {
    writeFileSync(mine, text);
    while (!linked(mine, lock)) {
      const found = readIfThere(lock);
      if (found === undefined) continue;
      const owner = ownerIn(found);
      if (owner !== undefined && isRunning(owner)) return owner;
      removeExactly(lock, found);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return {
    release: () => {
      if (readIfThere(lock) === text) rmSync(lock, { force: true });
    },
  };
}

/** The living process that holds the folder, if any. */
export function holderOf(folder: string): ProcessIdentity | undefined {
  const text = readIfThere(join(folder, 'up.lock'));
  const owner = text === undefined ? undefined : ownerIn(text);
  return owner !== undefined && isRunning(owner) ? owner : undefined;
}

/** Whether `from` now also has the name `to`: the one way to make a file that is whole from its first moment, or not at all. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Removes a dead owner's lock, but puts back a lock that another process has made since it was read. */
function removeExactly(lock: string, text: string): void {
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  if (readFileSync(aside, 'utf8') !== text) linked(aside, lock);
  rmSync(aside, { force: true });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function ownerIn(text: string): ProcessIdentity | undefined {
  try {
    return Owner.parse(JSON.parse(text));
  } catch {
    return undefined; // torn by a power cut: it has no owner
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
