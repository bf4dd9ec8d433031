import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOf } from './process-identity.js';

const prefix = 'outdial-tmp-';

/**
 * Makes a folder for the life of this process, which deletes it itself when it is done. Those of processes that were
 * killed before they could are deleted here: the name of each tells its maker.
 */
export function temporaryFolder(name: string): string {
  for (const each of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const maker = Number(each.slice(prefix.length).split('-', 1)[0]);
    if (startOf(maker) === null) removeLeftover(join(tmpdir(), each));
  }
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-${name}-`));
}

/** Deletes what can be deleted: another process may be at it, or a child of its maker still write there. The next one goes on. */
function removeLeftover(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A folder of another user stays, too.
  }
}
