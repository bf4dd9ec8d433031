import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that its readers see either as it was or as it is now, never half; `mode` as for chmod. If it cannot be written,
 * such as on a full disk, nothing is left beside it.
 */
export function writeWhole(path: string, text: string, mode = 0o600): void {
  const half = `${path}.${process.pid}.new`;
  try {
    writeFileSync(half, text, { mode });
    renameSync(half, path);
  } finally {
    rmSync(half, { force: true });
  }
}
