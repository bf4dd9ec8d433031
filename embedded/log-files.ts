import {
  closeSync,
  copyFileSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

export interface LogLimits {
  /** A larger file is started again. */
  readonly mostBytes: number;
  /** Earlier files that are kept of each: `api.log.1` is the one before `api.log`. */
  readonly kept: number;
}

const pieceBytes = 1024 * 1024;

/**
 * Moves the logs of a folder that have grown too large aside. Their writers keep them open for appending and need not know:
 * a log is copied, then cut to nothing. What is written in the moment between the last look and the cut is lost.
 */
export function rotateLogs(folder: string, { mostBytes, kept }: LogLimits): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.log'))) {
    const path = join(folder, name);
    if (statSync(path).size <= mostBytes) continue;
    rmSync(`${path}.${kept}`, { force: true });
    for (let number = kept - 1; number >= 1; number -= 1) renameIfThere(`${path}.${number}`, `${path}.${number + 1}`);
    moveContent(path, `${path}.1`);
  }
}

function moveContent(from: string, to: string): void {
  copyFileSync(from, to);
  const source = openSync(from, 'r');
  const target = openSync(to, 'a', 0o600);
  try {
    const piece = Buffer.alloc(pieceBytes);
    let copied = fstatSync(target).size;
    for (;;) {
      const read = readSync(source, piece, 0, piece.length, copied);
      if (read === 0) break;
      copied += writeSync(target, piece, 0, read);
    }
    truncateSync(from, 0);
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
