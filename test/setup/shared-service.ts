import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChild } from '../../embedded/child.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';

const program = join(import.meta.dirname, '../../dist/cli/main.js');
const lookEveryMs = 100;

/** Where a service is that `outdial up` runs for tests. */
export interface ServicePlace {
  /** Its data folder, which holds `ready.json`. */
  readonly folder: string;
  /** Where it is listed among the user's services. */
  readonly stateFolder: string;
}

/**
 * Runs `outdial up`, fifty times as fast as real time, for as long as this process lives.
 *
 * @throws with all that it has printed if it ends before it is ready
 */
export async function startSharedService(): Promise<ServicePlace & { readonly stop: () => Promise<void> }> {
  const folder = temporaryFolder('service');
  const stateFolder = temporaryFolder('service-state');
  const logFile = join(stateFolder, 'up.log');
  const up = await startChild({
    command: process.execPath,
    args: [program, 'up', '--port', '0', '--data', folder, '--speed', '50'],
    env: { ...process.env, OUTDIAL_LOG_LEVEL: 'info', XDG_STATE_HOME: stateFolder },
    logFile,
    stopSignal: 'SIGINT',
  });
  while (!existsSync(join(folder, 'ready.json'))) {
    if (up.isOver()) throw new Error(`outdial up has ended, and had said:\n${readFileSync(logFile, 'utf8')}`);
    await delay(lookEveryMs);
  }
  return {
    ...{ folder, stateFolder },
    stop: async () => {
      await up.stop(60_000);
      for (const each of [folder, stateFolder]) rmSync(each, { recursive: true, force: true });
    },
  };
}
