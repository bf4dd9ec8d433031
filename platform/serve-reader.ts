import { Console } from 'node:console';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Answers with one line; waits while it is not read. */
export type Answer = (line: object) => Promise<void>;

const write = (text: string): Promise<void> =>
  new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));

/** @returns true if the message of an error, or the output of a process that ended, says that memory ran out */
export const isOutOfMemory = (message: string): boolean =>
  /limit: memory|out of memory|bad_alloc|allocation failed|cannot allocate|invalid (?:string|array) length|string longer than/i.test(
    message,
  );

/** Takes the first line, a JSON object that names its `byteLength`, and as many bytes after it. */
async function takeJob(): Promise<{ readonly request: unknown; readonly bytes: Buffer }> {
  let pieces: Buffer[] = [];
  let request: { readonly byteLength: number } | undefined;
  let length = 0;
  for await (const piece of process.stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    const cut: number = request === undefined ? piece.indexOf(0x0a) : -1;
    if (cut !== -1) {
      const all = Buffer.concat(pieces);
      const end = length - piece.length + cut;
      request = JSON.parse(all.toString('utf8', 0, end)) as { readonly byteLength: number };
      pieces = [all.subarray(end + 1)];
      length -= end + 1;
    }
    if (request !== undefined && length >= request.byteLength) return { request, bytes: Buffer.concat(pieces, length) };
  }
  throw new Error('The file did not come to its end.');
}

/**
 * The other side of `readApart`: takes one file from stdin, answers with lines of JSON and ends. The program's arguments
 * are its limits: MiB of memory and seconds of processor time.
 */
export async function serveReader(
  work: (request: unknown, bytes: Buffer, answer: Answer) => Promise<void>,
): Promise<void> {
  globalThis.console = new Console(process.stderr); // what a library prints is no answer
  const [memoryMiB, cpuSeconds] = process.argv.slice(2).map(Number);
  // In a thread: while a file is being read, nothing else of the main one runs.
  const watch = new Worker(new URL('./reader-watch.mjs', import.meta.url), {
    workerData: { memoryMiB, cpuSeconds, parent: process.ppid },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  watch.unref();
  await once(watch, 'message'); // it watches: nothing is read before
  const { request, bytes } = await takeJob();
  await work(request, bytes, (line) => write(`${JSON.stringify(line)}\n`));
  await write('\n');
  process.exit(0);
}
