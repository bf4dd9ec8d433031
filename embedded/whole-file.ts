import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file that its readers see either as it was or as it is now, never half; `mode` as for chmod. */
export function writeWhole(path: string, text: string, mode = 0o600): void {
  const half = `${path}.${process.pid}.new`;
  writeFileSync(half, text, { mode });
  renameSync(half, path);
}
