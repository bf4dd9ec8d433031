import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { AudioFrame } from '@livekit/rtc-node';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { createLogger } from '../../platform/logger.js';
import { createKeptSpeech, type KeptSpeech, speechName } from '../models/kept-speech.js';

const logger = createLogger('agent', 'fatal');
const rate = 24_000;
const voice = { provider: 'openai', model: 'tts-1', voice: 'nova', language: 'en', keyPath: null };
const sound = (seconds: number, value = 1_000): AudioFrame[] =>
  Array.from({ length: seconds * 50 }, () => {
    const data = new Int16Array(rate / 50).fill(value);
    return new AudioFrame(data, rate, 1, data.length);
  });
const samplesOf = (frames: readonly AudioFrame[] | null): number[] => (frames ?? []).flatMap(({ data }) => [...data]);

let folder: string;
let kept: KeptSpeech;
beforeEach(() => {
  folder = temporaryFolder('speech');
  kept = createKeptSpeech(folder, logger);
});
afterEach(() => {
  vi.useRealTimers();
});

test('F8: speech that was made for one call is there for the next, sample by sample', async () => {
  const name = speechName('acc_1', [voice], 'Hello.');
  expect(await kept.find(name)).toBeNull();
  const frames = [...sound(1, 5), ...sound(0.14, -7)];
  await kept.keep(name, frames);
  const found = await createKeptSpeech(folder, logger).find(name);
  expect(samplesOf(found)).toEqual(samplesOf(frames));
  expect(found?.[0]).toMatchObject({ sampleRate: rate, channels: 1 });
});

test('F8: no other account, voice or text gets it', () => {
  const names = [
    speechName('acc_1', [voice], 'Hello.'),
    speechName('acc_2', [voice], 'Hello.'),
    speechName('acc_1', [{ ...voice, voice: 'onyx' }], 'Hello.'),
    speechName('acc_1', [{ ...voice, keyPath: 'languages.english.tts[0]' }], 'Hello.'),
    speechName('acc_1', [voice], 'Hello!'),
  ];
  expect(new Set(names).size).toBe(names.length);
});

test('F8: speech is made anew after six hours', async () => {
  await kept.keep('a.speech', sound(1));
  vi.useFakeTimers({ now: Date.now() + 5.9 * 3_600_000, toFake: ['Date'] });
  expect(await kept.find('a.speech')).not.toBeNull();
  vi.setSystemTime(Date.now() + 0.2 * 3_600_000);
  expect(await kept.find('a.speech')).toBeNull();
});

test('F8: no more than 64 MB are kept, those that were used last, and nothing that is longer than a minute and a half', async () => {
  await kept.keep('long.speech', sound(95));
  expect(readdirSync(folder)).toEqual([]);
  for (let number = 0; number < 20; number++) {
    await kept.keep(`${number}.speech`, sound(70));
    const at = new Date(Date.now() - (100 - number) * 1_000);
    utimesSync(join(folder, `${number}.speech`), at, at);
    if (number === 5) await kept.find('0.speech');
  }
  const files = readdirSync(folder);
  const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  expect(bytes).toBeLessThanOrEqual(64_100_000);
  expect(files).toContain('0.speech');
  expect(files).toContain('19.speech');
  expect(files).not.toContain('1.speech');
});
