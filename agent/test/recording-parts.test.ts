import { createEncoder } from 'libopus-wasm';
import { describe, expect, test } from 'vitest';
import type { RecordingChunk } from '../../db/queries/calls/recordings.js';
import { createLogger } from '../../platform/logger.js';
import { createMix, type Mix, type Side } from '../recording/mix.js';
import { oggStream } from '../recording/ogg.js';
import { storePages } from '../recording/store.js';
import { play } from './recorded-sound.js';

const tenMs = (value: number): Int16Array => new Int16Array(160).fill(value);

/** Says a sound of this value for so long. */
function speak(mix: Mix, side: Side, value: number, fromMs: number, untilMs: number): void {
  for (let at = fromMs; at < untilMs; at += 10) mix.hear(side, tenMs(value), at + 10);
}
/** The value that a channel has at an instant, of frames taken from the beginning. */
const valueAt = (frames: readonly Int16Array[], side: Side, ms: number): number =>
  frames[Math.floor(ms / 20)]?.[(ms % 20) * 32 + (side === 'callee' ? 0 : 1)] ?? NaN;

describe('two sounds on one clock', () => {
  test('each is where it was heard, and there is silence where nothing was', () => {
    const mix = createMix(0);
    speak(mix, 'agent', 7, 150, 300);
    speak(mix, 'callee', 9, 500, 700);
    const frames = mix.take(1_000, 500, true);
    expect(frames).toHaveLength(50);
    expect([50, 160, 290, 310].map((ms) => valueAt(frames, 'agent', ms))).toEqual([0, 7, 7, 0]);
    expect([490, 510, 690, 710].map((ms) => valueAt(frames, 'callee', ms))).toEqual([0, 9, 9, 0]);
  });

  test('sound that comes late and all at once, as from a process that was held up, is whole', () => {
    const mix = createMix(0);
    speak(mix, 'callee', 3, 0, 1_000);
    speak(mix, 'agent', 7, 0, 200);
    for (let at = 200; at < 1_000; at += 10) mix.hear('agent', tenMs(at), 1_000);
    const frames = mix.take(1_000, 500);
    expect([100, 300, 500, 900].map((ms) => valueAt(frames, 'agent', ms))).toEqual([7, 300, 500, 900]);
  });

  test('a side that is behind is waited for, for two seconds', () => {
    const mix = createMix(0);
    speak(mix, 'callee', 3, 0, 1_000);
    speak(mix, 'agent', 7, 0, 400);
    expect(mix.take(1_000, 500)).toHaveLength(20);
    speak(mix, 'callee', 3, 1_000, 3_000);
    expect(mix.take(3_000, 500)).toHaveLength(130);
    speak(mix, 'agent', 8, 2_900, 3_100);
    const frames = mix.take(3_100, 500, true);
    expect(frames).toHaveLength(5);
    expect(valueAt(frames, 'agent', 50)).toBe(8);
  });

  test('a new track begins where its time says, not where the one before it has stopped', () => {
    const mix = createMix(0);
    speak(mix, 'agent', 7, 0, 200);
    mix.begin('agent');
    speak(mix, 'agent', 8, 600, 700);
    const frames = mix.take(700, 500);
    expect([100, 400, 650].map((ms) => valueAt(frames, 'agent', ms))).toEqual([7, 0, 8]);
  });

  test('it keeps ten seconds and no more, and goes on where a recording has got to', () => {
    const mix = createMix(3_000);
    speak(mix, 'callee', 5, 60_000, 75_000);
    const frames: Int16Array[] = [];
    for (let more = mix.take(76_000, 50, true); more.length > 0; more = mix.take(76_000, 50, true)) {
      frames.push(...more);
    }
    expect(mix.frames).toBe(3_800);
    const heard = frames.filter((frame) => frame.some((sample) => sample !== 0));
    expect(heard).toHaveLength(500);
  });
});

describe('the pages of a recording', () => {
  const tone = (frame: number, sample: number) => Math.round(9_000 * Math.sin((frame * 320 + sample) / 6));

  test('are a stream that plays, whole or cut off after any of them, each side in its channel', async () => {
    const encoder = await createEncoder({ channels: 2, sampleRate: 16_000, frameSize: 320, bitrate: 32_000 });
    const ogg = oggStream(0xfedcba98, 6.5);
    const pages: Buffer[] = [...ogg.head(16_000)];
    for (let second = 0; second < 4; second++) {
      const packets = Array.from({ length: 50 }, (_, index) => {
        const frame = new Int16Array(640);
        const isCallee = second < 2;
        for (let at = 0; at < 320; at++) frame[at * 2 + (isCallee ? 0 : 1)] = tone(second * 50 + index, at);
        return encoder.encode(frame);
      });
      pages.push(ogg.sound(2 + second, packets, (second + 1) * 1_000, second === 3));
    }
    encoder.free();
    const whole = await play(Buffer.concat(pages));
    expect(whole).toMatchObject({ isEnded: true });
    expect(whole.seconds).toBeCloseTo(4, 1);
    expect(whole.loudness('callee', 0.2, 1.8)).toBeGreaterThan(3_000);
    expect(whole.loudness('agent', 0.2, 1.8)).toBeLessThan(300);
    expect(whole.loudness('callee', 2.2, 3.8)).toBeLessThan(300);
    expect(whole.loudness('agent', 2.2, 3.8)).toBeGreaterThan(3_000);
    for (let count = 3; count < pages.length; count++) {
      const part = await play(Buffer.concat(pages.slice(0, count)));
      expect(part).toMatchObject({ isEnded: false });
      expect(part.seconds).toBeCloseTo(count - 2, 1);
    }
  });

  test('packets of any size are told apart', async () => {
    const ogg = oggStream(1, 0);
    const packets = [0, 1, 254, 255, 256, 510, 511].map((length) => new Uint8Array(length).fill(length));
    const page = ogg.sound(2, packets, 140, false);
    const count = page.readUInt8(26);
    const lengths = [...page.subarray(27, 27 + count)];
    const told: number[] = [];
    let length = 0;
    for (const segment of lengths) {
      length += segment;
      if (segment < 255) {
        told.push(length);
        length = 0;
      }
    }
    expect(told).toEqual(packets.map((packet) => packet.length));
    expect(page.length).toBe(27 + count + told.reduce((sum, each) => sum + each, 0));
  });
});

describe('pages on their way to the database', () => {
  const logger = createLogger('agent', 'fatal');
  const page = (sequence: number, size = 10): RecordingChunk => ({ sequence, frames: 0, bytes: new Uint8Array(size) });

  test('those that a database that was away did not take are stored with the next, in order', async () => {
    const stored: number[] = [];
    let isAway = true;
    const store = storePages(
      (pages) => {
        if (isAway) return Promise.reject(new Error('away'));
        stored.push(...pages.map(({ sequence }) => sequence));
        return Promise.resolve(true);
      },
      () => undefined,
      logger,
    );
    for (const sequence of [0, 1, 2]) store.add(page(sequence));
    await expect.poll(() => stored).toEqual([]);
    isAway = false;
    store.add(page(3));
    await store.close(5_000);
    expect(stored).toEqual([0, 1, 2, 3]);
  });

  test('nothing more is stored of a recording that was deleted, and that is told once', async () => {
    let [asked, told] = [0, 0];
    const store = storePages(
      () => Promise.resolve(++asked === 0),
      () => {
        told += 1;
      },
      logger,
    );
    store.add(page(0));
    await expect.poll(() => told).toBe(1);
    store.add(page(1));
    await store.close(1_000);
    expect([asked, told]).toEqual([1, 1]);
  });

  test('what waits for a database that stays away does not grow beyond 8 MB, and its end does not hold the call', async () => {
    let most = 0;
    const store = storePages(
      (pages) => {
        most = Math.max(most, pages.at(-1)?.sequence ?? 0);
        return Promise.reject(new Error('away'));
      },
      () => undefined,
      logger,
    );
    for (let sequence = 0; sequence < 100; sequence++) store.add(page(sequence, 100_000));
    const from = Date.now();
    await store.close(700);
    expect(Date.now() - from).toBeLessThan(5_000);
    expect(most).toBe(79);
  });
});
