import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { holderOf } from '../../embedded/data-lock.js';
import { writeWhole } from '../../embedded/whole-file.js';

const Entry = z.object({ folder: z.string() });

/** The user's list of services: commands find one that keeps its data elsewhere than in the folder they are run in. */
const listFolder = (): string => {
  const { XDG_STATE_HOME: state } = process.env;
  return join(state === undefined || state === '' ? join(homedir(), '.local', 'state') : state, 'outdial', 'services');
};

const entryOf = (folder: string): string =>
  join(listFolder(), `${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.json`);

/**
 * Writes down that a service runs on this folder. A home that cannot be written to keeps no service from starting: its
 * commands then need `--data`.
 * @param folder absolute
 * @returns strikes it off again
 */
export function listService(folder: string): () => void {
  try {
    mkdirSync(listFolder(), { recursive: true, mode: 0o700 });
    writeWhole(entryOf(folder), `${JSON.stringify({ folder })}\n`);
  } catch {
    return () => undefined;
  }
  return () => rmSync(entryOf(folder), { force: true });
}

/** Data folders of this user's services that run now. Entries of services that were killed count as nothing. */
export function runningFolders(): string[] {
  return entries()
    .flatMap((name) => folderIn(join(listFolder(), name)) ?? [])
    .filter((folder) => isHeld(folder))
    .sort();
}

function entries(): string[] {
  try {
    return readdirSync(listFolder()).filter((name) => name.endsWith('.json'));
  } catch {
    return []; // no service was ever started by this user
  }
}

function folderIn(path: string): string | undefined {
  try {
    return Entry.parse(JSON.parse(readFileSync(path, 'utf8'))).folder;
  } catch {
    return undefined; // struck off meanwhile
  }
}

function isHeld(folder: string): boolean {
  try {
    return holderOf(folder) !== undefined;
  } catch {
    return false; // a folder that this user can no longer read
  }
}
