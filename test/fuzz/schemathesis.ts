import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { userBinFolder } from '../../embedded/temporal.js';

const run = promisify(execFile);
const packages = ['schemathesis==4.32.5', 'openapi-spec-validator==0.9.0'];

/**
 * A Python with the fuzzer and a validator of OpenAPI documents, in an environment of its own in the user's cache; made the
 * first time.
 *
 * @returns null with a reason where Python, pip or their index is not there
 */
export async function findSchemathesis(): Promise<{ python: string } | { python: null; reason: string }> {
  const kept = join(userBinFolder(), packages.join('-').replaceAll('==', '-'));
  const python = join(kept, 'bin', 'python3');
  if (existsSync(python)) return { python };
  const made = `${kept}.${process.pid}`;
  try {
    mkdirSync(userBinFolder(), { recursive: true });
    await run('python3', ['-m', 'venv', made], { timeout: 60_000 });
    const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];
    await run(join(made, 'bin', 'python3'), ['-m', 'pip', 'install', ...flags, ...packages], {
      timeout: 180_000,
    });
    renameSync(made, kept);
    // The programs in bin name the old place, modules do not: they are run by `python3 -m`.
    return { python };
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).trim().split('\n');
    return { python: null, reason };
  }
}

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a Python module to its end; its output is what a person reads. */
export async function runModule(python: string, module: string, args: readonly string[], folder: string): Promise<Ran> {
  const child = spawn(python, ['-m', module, ...args], {
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
