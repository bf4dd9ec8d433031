import { existsSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const mib = 1024 * 1024;

/** Below it PostgreSQL may not get its next file of the log that each commit waits for (16 MiB), and stops. */
export const leastFreeMiB = 64;
/** A new folder gets a database, its log, Temporal's and, if Temporal is fetched, its program. */
const leastFreeOfNewMiB = 256;

/** MiB that the disk of a folder, or of the one that it will be made in, still takes from a user who is not root, as PostgreSQL is. */
export function freeMiBOf(folder: string): number {
  const path = resolve(folder);
  if (!existsSync(path) && dirname(path) !== path) return freeMiBOf(dirname(path));
  const { bavail, bsize } = statfsSync(path);
  return Math.floor((bavail * bsize) / mib);
}

/**
 * Refuses to start on a disk that is full: each part would end in its own words, some with half of a file written.
 *
 * @throws Error that names the folder and what to do
 */
export function requireDiskSpace(folder: string, free: (folder: string) => number = freeMiBOf): void {
  const isNew = !existsSync(join(folder, 'postgres', 'cluster', 'PG_VERSION'));
  const least = isNew ? leastFreeOfNewMiB : leastFreeMiB;
  const left = free(folder);
  if (left >= least) return;
  throw new Error(
    `The disk of ${folder} is full: ${left} MiB are left, and the service needs ${least} MiB to start` +
      `${isNew ? ' on a new folder' : ''}. Free some space there, or ${isNew ? 'name' : 'move the data folder to a larger disk and name'} ` +
      `another folder with --data.`,
  );
}
