import { chmodSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { temporaryFolder } from '../../embedded/temporary-folder.js';

/** Linux keeps its files in memory. */
const inMemory = '/dev/shm';
const neededBytes = 10 * 2 ** 30;

/**
 * Has temporary files of tests kept in memory, if this machine has enough of it: databases that are made and dropped by the
 * hundred cost a third of the processor time on a disk. Containers often have a small /dev/shm; then they stay on the disk.
 * They are deleted when this process ends; if it was killed, by the next run.
 */
export function keepTemporaryFilesInMemory(): void {
  if (!hasRoom()) return;
  process.env.TMPDIR = inMemory;
  const folder = temporaryFolder('tests');
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // After Ctrl-C a server that is about to end may still write there.
    }
  });
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
