import { execFile, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';

/** The command as it was built. */
export const program = join(import.meta.dirname, '../../../dist/cli/main.js');

/** How a command ended, and what it printed. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user of this machine, who has a home of their own and works in a folder of their own. */
export interface User {
  readonly folder: string;
  /** Runs `outdial` with these words; `input` is its standard input. */
  outdial(words: readonly string[], how?: { input?: string; env?: Readonly<Record<string, string>> }): Promise<Ended>;
  /**
   * The same in a terminal of 100 columns, with `typed` at its keyboard: each piece as soon as the terminal shows `asks` once
   * more. @returns all that the terminal shows
   */
  inTerminal(words: readonly string[], typed?: string | readonly string[], asks?: string): Promise<Ended>;
  /** Starts `outdial` and leaves it running. @returns what it has printed so far, and how it is ended */
  started(words: readonly string[]): { printed(): string; end(): Promise<void> };
}

/** A user beside a running service, with no setting but where it is listed and those of their account. */
export function userBeside({
  stateFolder,
  settings = {},
}: {
  readonly stateFolder: string;
  readonly settings?: Readonly<Record<string, string>>;
}): User {
  const folder = temporaryFolder('user');
  const home = {
    ...process.env,
    OUTDIAL_DATA: '',
    XDG_STATE_HOME: stateFolder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    TERM: 'xterm',
    // As on a build server: neither may colour what is not read on a terminal.
    CI: 'true',
    FORCE_COLOR: '1',
    ...settings,
  };
  return {
    folder,
    outdial: (words, { input = '', env = {} } = {}) =>
      new Promise((resolve) => {
        const options = { cwd: folder, env: { ...home, ...env }, maxBuffer: 50_000_000 };
        const child = execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, stdout, stderr }),
        );
        child.stdin?.end(input);
      }),
    started: (words) => {
      const child = spawn(process.execPath, [program, ...words], { cwd: folder, env: home });
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      return {
        printed: () => printed,
        end: async () => {
          child.kill('SIGINT');
          await ended;
        },
      };
    },
    inTerminal: (words, typed = [], asks = '(not shown): ') =>
      new Promise((resolve) => {
        const quoted = [process.execPath, program, ...words]
          .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
          .join(' ');
        const args = ['--quiet', '--return', '--command', `stty cols 100 rows 30; ${quoted}`, '/dev/null'];
        const child = spawn('script', args, { cwd: folder, env: home });
        let shown = '';
        const pieces = typeof typed === 'string' ? [typed] : [...typed];
        let asked = 0;
        child.stdout.on('data', (chunk) => {
          shown += String(chunk);
          // Typed once it is asked for: a terminal that does not show it yet would show it twice.
          for (; asked < shown.split(asks).length - 1 && pieces.length > 0; asked += 1) {
            child.stdin.write(pieces.shift() ?? '');
            if (pieces.length === 0) child.stdin.end();
          }
        });
        child.once('close', (code) => resolve({ code: code ?? 1, stdout: shown, stderr: '' }));
      }),
  };
}

/** Whether this machine has the `script` of util-linux, which gives a command a terminal. */
export const hasTerminals = ((): boolean => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
})();
