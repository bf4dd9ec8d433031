import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A small file system for the database, which can be filled. */
export interface Disk {
  /**
   * Leaves no room for another byte.
   * @throws if the file system cannot be made smaller
   */
  fill(): void;
  /** Gives the room back. */
  free(): void;
  remove(): void;
}

const mebibytes = 1_500;
/** Room that is left when the file system is made smaller: what is written meanwhile must fit, or the kernel refuses. */
const slackBytes = 8 * 1024 * 1024;
const mostTries = 10;
const label = 'outdial-soak';

export function mountDisk(folder: string): Disk | { readonly skipped: string } {
  mkdirSync(folder, { recursive: true });
  unmountLeftovers();
  const run = (...args: string[]) => execFileSync('mount', args, { stdio: 'pipe' });
  try {
    run('-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, label, folder);
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n').slice(-2);
    return { skipped: `no file system can be mounted here (${line.trim() || 'not root'})` };
  }
  const filler = join(folder, 'filler');
  const shrink = (): void => {
    const { blocks, bfree, bsize } = statfsSync(folder);
    run('-o', `remount,size=${(blocks - bfree) * bsize + slackBytes}`, folder);
  };
  return {
    fill() {
      untilDone(shrink);
      writeUntilFull(filler);
    },
    free() {
      rmSync(filler, { force: true });
      untilDone(() => void run('-o', `remount,size=${mebibytes}m`, folder));
    },
    remove() {
      execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function untilDone(work: () => void): void {
  for (let tries = 1; ; tries++) {
    try {
      work();
      return;
    } catch (error) {
      if (tries === mostTries) throw error;
    }
  }
}

function writeUntilFull(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const size of [1 << 20, 4096]) {
      const block = Buffer.alloc(size);
      while (writeSync(file, block) === size);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

/** File systems of soaks that were killed. The path tells the process that had mounted it. */
export function unmountLeftovers(): void {
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const [source, folder = ''] = line.split(' ');
    const pid = /outdial-soak-(\d+)-/.exec(folder)?.[1];
    if (source !== label || pid === undefined || isAlive(Number(pid))) continue;
    execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
