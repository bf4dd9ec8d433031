import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, startChild } from '../../embedded/child.js';
import { startPostgres } from '../../embedded/postgres.js';
import type { Part } from '../../embedded/supervisor.js';
import { startTemporalServer } from '../../embedded/temporal-server.js';
import type { Listening } from '../../embedded/temporal-ui.js';

/** Generous: on a busy machine loading a role's code alone can take half a minute. */
const startWithinMs = 120_000;

export interface RolePart {
  /** What `up` calls it. */
  readonly name: 'api' | 'worker' | 'dialer' | 'carrier' | 'agent';
  /** The command line after `outdial`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Answers 200 when the role serves. */
  readonly readyUrl: string;
  readonly logFolder: string;
  /** As of Part. */
  readonly stopWithinMs?: number;
}

/** One of our own roles as a separate process. Run with the very file that this process runs. */
export function rolePart({ name, args, env, readyUrl, logFolder, ...rest }: RolePart): Part {
  const logFile = join(logFolder, `${name}.log`);
  const [, entry] = process.argv;
  if (entry === undefined) throw new Error('The command line has no program.');
  return {
    ...{ name, ...rest },
    start: async (spawned) => {
      const child = await startChild({ command: process.execPath, args: [entry, ...args], env, logFile });
      spawned(child);
      if (await serves(readyUrl, child)) return child;
      await child.stop(1000);
      throw new Error(`${name} does not serve; ${logFile} ends with:\n${lastLines(logFile)}`);
    },
  };
}

export function postgresPart(folder: string, logFolder: string, port: number): Part {
  const start = async (spawned: (child: Child) => void) =>
    startPostgres({ folder: join(folder, 'postgres'), port, logFile: join(logFolder, 'postgres.log'), spawned });
  return { name: 'postgres', start: async (spawned) => (await start(spawned)).child };
}

export interface TemporalPart {
  readonly program: string;
  readonly port: number;
  readonly ui: Listening | undefined;
}

export function temporalPart(folder: string, logFolder: string, { program, port, ui }: TemporalPart): Part {
  const start = async (spawned: (child: Child) => void) =>
    startTemporalServer({
      program,
      port,
      ...(ui === undefined ? {} : { ui }),
      databaseFile: join(folder, 'temporal', 'temporal.db'),
      logFile: join(logFolder, 'temporal.log'),
      spawned,
    });
  return { name: 'temporal', start: async (spawned) => (await start(spawned)).child };
}

async function serves(url: string, child: Child): Promise<boolean> {
  const until = performance.now() + startWithinMs;
  while (!child.isOver() && performance.now() < until) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
      await response.arrayBuffer();
      if (response.ok) return true;
    } catch {
      // not listening yet
    }
    await delay(50);
  }
  return false;
}

function lastLines(path: string): string {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-8);
  return lines.map((line) => `  ${line.slice(0, 300)}`).join('\n');
}
