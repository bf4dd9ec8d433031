import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { temporaryFolder } from '../../embedded/temporary-folder.js';

const folders = new Set<string>();

/** A temporary folder for what a part of the harness writes; `keepLogs` finds it. */
export function logFolder(name: string): string {
  const folder = temporaryFolder(name);
  folders.add(folder);
  return folder;
}

/**
 * Copies what every part of this test file has written so far to where it outlives the process, for a person to read.
 * @returns where
 */
export function keepLogs(...others: readonly string[]): string {
  const kept = join('test-results', 'telephony', String(process.pid));
  mkdirSync(kept, { recursive: true });
  for (const path of [...folders, ...others]) cpSync(path, join(kept, basename(path)), { recursive: true });
  return kept;
}
