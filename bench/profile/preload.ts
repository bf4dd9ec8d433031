import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

// Loaded before each process of the service that is profiled (`node --import`). SIGWINCH, which has no other meaning to them, starts a
// profile of each thread of a process; the next one ends it and writes it.

const folder = process.env.BENCH_PROFILE_FOLDER ?? '.';
const role = process.argv[2] ?? 'node';
const sampleEveryUs = 500;

const file = join(folder, `${role}-${process.pid}-${threadId}.cpuprofile`);
/** Stands there as long as the profile is not written: whoever wants it sees which threads still have one to write. */
const unfinished = `${file}.unfinished`;

let session: Session | undefined;

async function toggle(): Promise<void> {
  if (session === undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(unfinished, '');
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: sampleEveryUs });
    await session.post('Profiler.start');
    return;
  }
  const ended = session;
  session = undefined;
  const { profile } = await ended.post('Profiler.stop');
  ended.disconnect();
  writeFileSync(unfinished, JSON.stringify(profile));
  renameSync(unfinished, file);
}

/** Reaches the other threads of the process, which have no signals. */
const threads = new BroadcastChannel('outdial-bench-profile');
threads.unref();
threads.onmessage = () => void toggle();
if (isMainThread) {
  process.on('SIGWINCH', () => {
    threads.postMessage('toggle');
    void toggle();
  });
}
