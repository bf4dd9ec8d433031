import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { StartGate } from '../worker/start-gate.js';

/** Messages of a conversation's process to its worker. */
const Report = z.discriminatedUnion('kind', [
  /** It has started, and asks when it may load the rest. */
  z.object({ kind: z.literal('load') }),
  /** It stands ready for a conversation. */
  z.object({ kind: z.literal('warm') }),
  /** It has one, by this job. */
  z.object({ kind: z.literal('busy'), job: z.string() }),
  /** The callee has left: no one waits for the rest. */
  z.object({ kind: z.literal('over') }),
  /** The callee has picked up. */
  z.object({ kind: z.literal('answered') }),
  /** Milliseconds by which it was late of late. */
  z.object({ kind: z.literal('lag'), ms: z.number() }),
  /** Milliseconds from the answer to the agent's first sound. */
  z.object({ kind: z.literal('greeting'), ms: z.number() }),
  /** Milliseconds from the end of the callee's speech to the agent's first sound. */
  z.object({ kind: z.literal('turn'), ms: z.number() }),
  /** Its models, or it itself, have failed for good. */
  z.object({ kind: z.literal('failed') }),
]);
export type Report = z.infer<typeof Report>;

/** Null for the half of a line that a process has left which was killed. */
function read(line: string): Report | null {
  try {
    return Report.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Names the worker's socket to the processes of conversations, which inherit it. */
const variable = 'OUTDIAL_AGENT_REPORTS';

export interface Reports {
  /** Processes that stand ready at this moment. */
  readonly warm: number;
  /** Processes whose conversations go on. */
  readonly talking: number;
  stop(): void;
}

/**
 * Hears from the processes of conversations. LiveKit Agents keeps its pool, and its channel to them, to itself; a socket of
 * our own also tells when one is gone, however it ended.
 *
 * @param gate says when a process may load
 * @param changed called when there are more or fewer that stand ready or talk
 */
export function hearReports(
  on: (report: Report) => void,
  changed: () => void,
  gate: Pick<StartGate, 'ask' | 'loaded'>,
): Reports {
  const folder = mkdtempSync(join(tmpdir(), 'outdial-agent-'));
  const path = join(folder, 'worker');
  const warm = new Set<Socket>();
  const talking = new Set<Socket>();
  const stopping = new AbortController();
  const server = createServer((socket) => {
    let takeBack: (() => void) | undefined;
    let isLoading = false;
    const loaded = (): void => {
      if (isLoading) gate.loaded();
      isLoading = false;
    };
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      takeBack?.();
      loaded();
      warm.delete(socket);
      talking.delete(socket);
      changed();
    });
    createInterface(socket).on('line', (line) => {
      const report = read(line);
      if (report === null) return;
      if (report.kind === 'load') {
        takeBack = gate.ask(() => {
          isLoading = true;
          socket.write('go\n');
        });
      }
      if (report.kind === 'warm') {
        warm.add(socket);
        loaded();
      }
      if (report.kind === 'busy') {
        warm.delete(socket);
        talking.add(socket);
      }
      if (report.kind === 'over') talking.delete(socket);
      on(report);
      changed();
    });
    stopping.signal.addEventListener('abort', () => socket.destroy());
  });
  server.listen(path);
  process.env[variable] = path;
  return {
    get warm() {
      return warm.size;
    },
    get talking() {
      return talking.size;
    },
    stop() {
      stopping.abort();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let connected: Socket | null = null;

/** @returns null in a process that no worker has started */
function toWorker(): Socket | null {
  const path = process.env[variable];
  if (path === undefined) return null;
  if (connected === null) {
    connected = createConnection(path);
    // A report that the worker does not get must neither end the conversation nor keep its process alive.
    connected.on('error', () => undefined);
    connected.unref();
  }
  return connected;
}

/** Tells the worker, from the process of a conversation. Never throws; a worker that is gone is not told. */
export function report(what: Report): void {
  toWorker()?.write(`${JSON.stringify(what)}\n`);
}

/** Longer than the worker lets a process wait: if no word comes, it loads all the same. */
const longestAskMs = 40_000;

/** Resolves when the worker says that this process may load what conversations need. */
export async function askToLoad(): Promise<void> {
  const socket = toWorker();
  if (socket === null) return;
  report({ kind: 'load' });
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, longestAskMs);
    const go = (): void => {
      clearTimeout(timer);
      resolve();
    };
    socket.once('data', go);
    socket.once('close', go);
  });
}
