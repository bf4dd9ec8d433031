import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';

/** A small file system for the database, which can be filled; undefined where this machine does not let us mount one. */
export interface Disk {
  /** Leaves no room for another byte. */
  fill(): void;
  /** Gives the room back. */
  free(): void;
  remove(): void;
}

const mebibytes = 1_500;
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
  return {
    fill() {
      const { blocks, bfree, bsize } = statfsSync(folder);
      run('-o', `remount,size=${(blocks - bfree) * bsize}`, folder);
    },
    free: () => void run('-o', `remount,size=${mebibytes}m`, folder),
    remove() {
      execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** File systems of soaks that were killed. The path tells the process that had mounted it. */
function unmountLeftovers(): void {
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
