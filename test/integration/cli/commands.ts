import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Command } from 'commander';
import { vi } from 'vitest';
import { checkedArguments, endOf } from '../../../cli/command-line.js';
import { createProgram } from '../../../cli/program.js';

/** The command as it was built. */
export const program = join(import.meta.dirname, '../../../dist/cli/main.js');

/** How a command ended, and what it printed. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Settings of the environment. */
export type Settings = Readonly<Record<string, string>>;

/** Runs a command of the built program, as a process, with these settings on top of the test's own: it takes a second to start. */
export const runOutdial = (args: readonly string[], settings: Settings = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...settings };
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, stdout, stderr }),
    );
  });

/** The same in this process, in milliseconds. Ends as the program does: an error is one line, and code 1. */
export async function outdialHere(args: readonly string[], settings: Settings = {}): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const prepare = (command: Command): void => {
    command.exitOverride();
    command.configureOutput({
      writeOut: (text) => (said.stdout += text),
      writeErr: (text) => (said.stderr += text),
    });
    command.commands.forEach(prepare);
  };
  const parsed = createProgram();
  prepare(parsed);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const out = vi.spyOn(console, 'log').mockImplementation((line) => (said.stdout += `${String(line)}\n`));
  const err = vi.spyOn(console, 'error').mockImplementation((line) => (said.stderr += `${String(line)}\n`));
  try {
    await parsed.parseAsync(checkedArguments(parsed, args), { from: 'user' });
    return { code: 0, ...said };
  } catch (error) {
    const { exitCode: code, message } = endOf(error);
    return { code, ...said, stderr: message === undefined ? said.stderr : `${said.stderr}${message}\n` };
  } finally {
    out.mockRestore();
    err.mockRestore();
    vi.unstubAllEnvs();
  }
}
