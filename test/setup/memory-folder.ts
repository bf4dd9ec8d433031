import { chmodSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { temporaryFolder } from '../../embedded/temporary-folder.js';

/** Linux keeps its files in memory. */
const inMemory = '/dev/shm';
const neededBytes = 10 * 2 ** 30;

/**
 * Has temporary files of tests kept in memory, if this machine has enough of it: databases that are made and dropped by the
 * hundred cost a third of the processor time on a disk. Containers often have a small /dev/shm; then they stay on the disk.
 * @returns what deletes them
 */
export function keepTemporaryFilesInMemory(): () => void {
  if (!hasRoom()) return () => undefined;
  process.env.TMPDIR = inMemory;
  const folder = temporaryFolder('tests');
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    const availableKib = Number(/^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]);
    return bavail * bsize >= neededBytes && availableKib * 1024 >= neededBytes;
  } catch {
    return false; // Another operating system.
  }
}
