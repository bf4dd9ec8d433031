import { execFile } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../../dist/cli/main.js');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the operator, as a process, with these settings on top of the test's own. */
export const runOutdial = (args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...settings };
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, stdout, stderr }),
    );
  });
