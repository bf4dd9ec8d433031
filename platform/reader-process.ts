import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isOutOfMemory } from './serve-reader.js';

/** The limits of one reader. */
export interface ReaderLimits {
  /** Resident memory of the whole process, in MiB: heap, buffers and code. */
  readonly memoryMiB: number;
  /** Processor time in seconds. */
  readonly cpuSeconds: number;
  /**
   * How long the reader may stay silent, in milliseconds of the clock: many times its processor time, so that only one that hangs
   * comes to it, however busy the machine is.
   */
  readonly silenceMs: number;
}

/** `memory`, `time`: it used more than it may. `lost`: it ended otherwise, or hung, which says nothing about the file. */
export type ReaderEnd = 'memory' | 'time' | 'lost';

/** The reader ended before it had answered. */
export class ReaderEnded extends Error {
  override readonly name = 'ReaderEnded';
  constructor(
    readonly end: ReaderEnd,
    detail: string,
  ) {
    super(`The reader process ended (${end}): ${detail}`);
  }
}

export interface ReaderJob {
  /** Compiled module that calls {@link serveReader}. */
  readonly program: URL;
  /** The request about the bytes; JSON. */
  readonly request: object;
  readonly bytes: Buffer;
  readonly limits: ReaderLimits;
  /** Ends the reader when its answer is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
}

/** Longest line that a reader may answer with, in bytes. */
const longestLineBytes = 8 * 1024 * 1024;
const keptStderrBytes = 4_096;

/**
 * What V8 13 (Node 24) reserves for itself in a reader and mostly never uses: up to 2.5 GiB, as VmData shows. The kernel
 * counts it, so that its limit is far beyond what the reader may have resident: there the reader's own watch ends it.
 */
const reservedMiB = Number.parseInt(process.versions.v8) >= 13 ? 3_072 : 0;
/** What the kernel counts beyond resident memory: stacks, what was asked for and is not used yet, and what is reserved. */
const addressSlackMiB = 256 + reservedMiB;
/** Part of the memory that the JavaScript heap may take before its collector has to work for it. */
const heapShare = 0.6;

/**
 * The kernel refuses memory (-d, in KiB) and processor time (-t) beyond these, and writes no core dump (-c). Where memory of
 * the machine or the container runs out, it ends readers before anything else (oom_score_adj, Linux).
 */
const limited =
  'ulimit -c 0; ulimit -d "$1" 2>/dev/null; ulimit -S -t "$2" 2>/dev/null; shift 2; ' +
  '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$@"';
const shell = '/bin/sh';

/** Two arenas and one thread for files: a reader has little to do at once, and each arena keeps what was freed in it. */
const environment = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '1' };

/** How this process runs, without what can be had only once, such as the port of a debugger. */
const inherited = (): string[] => process.execArgv.filter((argument) => !argument.startsWith('--inspect'));

type Reader = ChildProcessByStdio<Writable, Readable, Readable>;

function start({ program, limits }: ReaderJob): Reader {
  const { memoryMiB, cpuSeconds } = limits;
  const node = [
    process.execPath,
    ...inherited(),
    `--max-old-space-size=${Math.round(memoryMiB * heapShare)}`,
    fileURLToPath(program),
    String(memoryMiB),
    String(cpuSeconds),
  ];
  // One second more than the reader's own watch, which can say why it ends.
  const command = [
    shell,
    '-c',
    limited,
    'sh',
    String((memoryMiB + addressSlackMiB) * 1024),
    String(cpuSeconds + 1),
    ...node,
  ];
  const [file = '', ...args] = process.platform !== 'win32' && existsSync(shell) ? command : node;
  return spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], env: environment });
}

/** The reader's exit and what it wrote to stderr. */
function watch(reader: Reader) {
  let said = '';
  reader.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-keptStderrBytes)));
  const over = new Promise<ReaderEnded>((resolve) => {
    reader.once('error', (error) => resolve(new ReaderEnded('lost', error.message)));
    reader.once('close', (code, signal) => resolve(endOf(code, signal, said)));
  });
  // The reader may end before it has taken everything: `over` says so.
  reader.stdin.on('error', () => undefined);
  return over;
}

function endOf(code: number | null, signal: string | null, said: string): ReaderEnded {
  const detail = `code ${String(code)}, signal ${String(signal)}, ${said.slice(-500)}`;
  if (isOutOfMemory(said)) return new ReaderEnded('memory', detail);
  if (said.includes('limit: time') || signal === 'SIGXCPU') return new ReaderEnded('time', detail);
  return new ReaderEnded('lost', detail);
}

/** The lines that the reader writes to stdout. If they are not read, the reader waits: nothing gathers here. */
async function* linesOf(stdout: Readable, silenceMs: number, stop: () => void): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let length = 0;
  const chunks = stdout.iterator({ destroyOnReturn: true });
  for (;;) {
    const timer = setTimeout(stop, silenceMs);
    const { done, value } = (await chunks.next().finally(() => clearTimeout(timer))) as IteratorResult<Buffer, unknown>;
    if (done === true) return;
    let rest = value;
    for (let cut = rest.indexOf(0x0a); cut !== -1; cut = rest.indexOf(0x0a)) {
      yield Buffer.concat([...pieces, rest.subarray(0, cut)]).toString();
      pieces = [];
      length = 0;
      rest = rest.subarray(cut + 1);
    }
    pieces.push(rest);
    length += rest.length;
    if (length > longestLineBytes) throw new ReaderEnded('lost', `a line of more than ${longestLineBytes} bytes`);
  }
}

/**
 * Reads a file in a separate process, which has nothing but the bytes: no environment, no settings, no connection. The
 * kernel and the reader's own watch limit its memory and time, and it ends with this process.
 *
 * @returns the lines that it answers with, each a JSON text
 * @throws ReaderEnded if it ends before its answer is complete
 */
export async function* readApart(job: ReaderJob): AsyncGenerator<string> {
  const { request, bytes, limits, signal } = job;
  signal?.throwIfAborted();
  const reader = start(job);
  const over = watch(reader);
  const kill = (): void => void reader.kill('SIGKILL');
  const silence = new AbortController();
  signal?.addEventListener('abort', kill);
  try {
    reader.stdin.write(`${JSON.stringify({ ...request, byteLength: bytes.length })}\n`);
    // Left open: the reader takes its closing for the death of this process.
    reader.stdin.write(bytes);
    const onSilence = (): void => {
      silence.abort();
      kill();
    };
    let complete = false;
    for await (const line of linesOf(reader.stdout, limits.silenceMs, onSilence)) {
      complete = line === '';
      if (complete) break;
      yield line;
    }
    if (complete) return;
    signal?.throwIfAborted();
    if (silence.signal.aborted) throw new ReaderEnded('lost', `nothing for ${limits.silenceMs} ms`);
    throw await over;
  } finally {
    signal?.removeEventListener('abort', kill);
    kill();
    reader.stdin.destroy();
  }
}
