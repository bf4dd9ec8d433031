import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AudioFrame } from '@livekit/rtc-node';
import type { ModelChoice } from '../../domain/session-plan/types.js';
import type { Logger } from '../../platform/logger.js';

/** Speech that the conversations of one worker share: what is the same in every call is made once. */
export interface KeptSpeech {
  /** Null if it is not there, or too old. */
  find(name: string): Promise<readonly AudioFrame[] | null>;
  keep(name: string, frames: readonly AudioFrame[]): Promise<void>;
}

/** A provider may change a voice, and a fallback may have spoken: what is older is made anew. */
const longestMs = 6 * 3_600_000;
/** A minute and a half at 24 kHz. */
const mostBytesEach = 4_500_000;
const mostBytes = 64_000_000;
const suffix = '.speech';

/** Names a text as it is spoken for an account: never one that another account has paid for. */
export const speechName = (accountId: string, voices: readonly ModelChoice[], text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([accountId, voices, text]))
    .digest('hex') + suffix;

const isOurs = (file: string): boolean => file.endsWith(suffix);

/** @param folder closed to others; it goes with the worker */
export function createKeptSpeech(folder: string, logger: Logger): KeptSpeech {
  async function makeRoom(bytes: number): Promise<void> {
    const files = (await readdir(folder)).filter(isOurs);
    const found = await Promise.all(
      files.map(async (file) => {
        const { size, mtimeMs } = await stat(join(folder, file));
        return { file, size, mtimeMs };
      }),
    );
    let total = found.reduce((sum, { size }) => sum + size, bytes);
    for (const { file, size } of found.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= mostBytes) return;
      await rm(join(folder, file), { force: true });
      total -= size;
    }
  }

  return {
    async find(name) {
      const path = join(folder, name);
      try {
        const bytes = await readFile(path);
        const end = bytes.indexOf('\n');
        const [rate = 0, channels = 0, madeMs = 0] = bytes.toString('latin1', 0, end).split(' ').map(Number);
        if (Date.now() - madeMs > longestMs) return null;
        const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + end + 1, bytes.byteOffset + bytes.length));
        // Those that are used stay longest.
        await utimes(path, new Date(), new Date());
        return framesOf(samples, rate, channels);
      } catch {
        // Not there, or just deleted: it is made.
        return null;
      }
    },
    async keep(name, frames) {
      const [first] = frames;
      const bytes = frames.reduce((sum, { data }) => sum + data.byteLength, 0);
      if (first === undefined || bytes > mostBytesEach) return;
      try {
        await makeRoom(bytes);
        const head = Buffer.from(`${first.sampleRate} ${first.channels} ${Date.now()}\n`);
        const sound = frames.map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
        const unfinished = join(folder, randomUUID());
        await writeFile(unfinished, Buffer.concat([head, ...sound]), { mode: 0o600 });
        await rename(unfinished, join(folder, name));
      } catch (error) {
        logger.warn({ err: error }, 'speech could not be kept for other calls');
      }
    },
  };
}

/** In pieces of 100 ms, as voices give them. */
function framesOf(samples: Int16Array, rate: number, channels: number): AudioFrame[] {
  const size = (rate / 10) * channels;
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => {
    const data = samples.slice(index * size, (index + 1) * size);
    return new AudioFrame(data, rate, channels, data.length / channels);
  });
}

/** The folder of the worker that started this process (reports.ts); null without one. */
export function keptSpeechOfWorker(logger: Logger): KeptSpeech | null {
  const path = process.env.OUTDIAL_AGENT_REPORTS;
  return path === undefined ? null : createKeptSpeech(dirname(path), logger);
}
