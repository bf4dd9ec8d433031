import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Names the folder to the processes of conversations, which inherit it. */
const variable = 'OUTDIAL_AGENT_WARM_FOLDER';
const lookEveryMs = 100;

export interface WarmUp {
  /** Resolves when a process has said that it stands ready; never before the next conversation could begin at once. */
  ready(): Promise<void>;
  stop(): void;
}

/**
 * Hears from processes that are warm. The library keeps its pool to itself, and its channel to them too, so they leave a file.
 */
export function watchWarmUp(): WarmUp {
  const folder = mkdtempSync(join(tmpdir(), 'outdial-agent-'));
  process.env[variable] = folder;
  let stopped = false;
  const isOver = (): boolean => stopped || readdirSync(folder).length > 0;
  return {
    async ready() {
      while (!isOver()) await pause(lookEveryMs);
    },
    stop() {
      stopped = true;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The process of a conversation stands ready. */
export function sayWarm(): void {
  const folder = process.env[variable];
  if (folder === undefined) return;
  try {
    writeFileSync(join(folder, String(process.pid)), '');
  } catch {
    return; // the worker has gone meanwhile
  }
}
