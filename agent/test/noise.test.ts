import { AudioFrame } from '@livekit/rtc-node';
import { expect, test } from 'vitest';
import { createNoiseCanceller, noiseFreeSampleRate } from '../models/noise.js';

/** 10 ms less than a frame of RNNoise now and then, so that parts of frames have to wait. */
const frameSizes = [480, 960, 441, 519];

/** The low rush of a street or a fan, the same in every run: how fast RNNoise learns a noise depends on the noise. */
function rush(): () => number {
  let seed = 1;
  let level = 0;
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    level = 0.9 * level + (seed / 2 ** 32 - 0.5) * 1_500;
    return Math.round(level);
  };
}

const powerOf = (samples: Int16Array): number =>
  samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;

test('steady noise is taken out, and as much sound comes out as went in', async () => {
  const canceller = await createNoiseCanceller();
  const noise = rush();
  const heard: number[] = [];
  const cleaned: number[] = [];
  for (let index = 0; index < 200; index++) {
    const size = frameSizes[index % frameSizes.length] ?? 480;
    const data = new Int16Array(size).map(() => noise());
    const frame = new AudioFrame(data, noiseFreeSampleRate, 1, size);
    const out = canceller.process(frame);
    expect(out.data).toHaveLength(size);
    // The first second teaches it what the noise is like.
    if (index < 80) continue;
    heard.push(powerOf(data));
    cleaned.push(powerOf(out.data));
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(mean(cleaned)).toBeLessThan(mean(heard) / 10);
  canceller.close();
});

test('sound at another rate, or switched off, passes as it is', async () => {
  const canceller = await createNoiseCanceller();
  const frame = new AudioFrame(new Int16Array(160).fill(5), 16_000, 1, 160);
  expect(canceller.process(frame)).toBe(frame);
  canceller.setEnabled(false);
  const other = new AudioFrame(new Int16Array(480).fill(5), noiseFreeSampleRate, 1, 480);
  expect(canceller.process(other)).toBe(other);
  canceller.close();
});
