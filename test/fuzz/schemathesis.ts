import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { userBinFolder } from '../../embedded/temporal.js';

const run = promisify(execFile);
const version = '4.32.5';

/**
 * The fuzzer's program, in a Python environment of its own in the user's cache; made the first time.
 *
 * @returns null with a reason where Python, pip or their index is not there
 */
export async function findSchemathesis(): Promise<{ program: string } | { program: null; reason: string }> {
  const kept = join(userBinFolder(), `schemathesis-${version}`);
  const program = join(kept, 'bin', 'schemathesis');
  if (existsSync(program)) return { program };
  const made = `${kept}.${process.pid}`;
  try {
    mkdirSync(userBinFolder(), { recursive: true });
    await run('python3', ['-m', 'venv', made], { timeout: 60_000 });
    const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];
    await run(join(made, 'bin', 'python3'), ['-m', 'pip', 'install', ...flags, `schemathesis==${version}`], {
      timeout: 180_000,
    });
    renameSync(made, kept);
    // Moved: the programs in bin name the old place, the module does not.
    return { program };
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).trim().split('\n');
    return { program: null, reason };
  }
}

export interface FuzzResult {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the fuzzer to its end; its output is what a person reads. */
export async function runSchemathesis(program: string, flags: readonly string[], folder: string): Promise<FuzzResult> {
  const python = join(program, '..', 'python3');
  const child = spawn(python, ['-m', 'schemathesis.cli', ...flags], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', HYPOTHESIS_STORAGE_DIRECTORY: join(folder, 'hypothesis') },
  });
  const parts: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => parts.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => parts.push(chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, output: parts.join('') };
}
