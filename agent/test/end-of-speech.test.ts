import { VAD, type VADEvent, VADEventType, type VADStream } from '@livekit/agents';
import { expect, test, vi } from 'vitest';
import { createSoundClock, watchEndOfSpeech } from '../conversation/end-of-speech.js';

test('F3: sound that is taken late is dated by what came in time', () => {
  const clock = createSoundClock();
  expect(clock.instantOf(0)).toBeNull();
  for (let at = 0; at <= 2_000; at += 32) clock.reached(at, 10_000 + at + 20);
  // The process stands still for 1.5 s, and takes what has come all at once.
  for (let at = 2_032; at <= 3_500; at += 32) clock.reached(at, 13_520);
  expect(clock.instantOf(2_400)).toBe(12_420);
});

test('F3: a gap in the sound is forgotten after ten seconds, and a stream that begins anew has its own clock', () => {
  const clock = createSoundClock();
  clock.reached(1_000, 11_000);
  for (let at = 1_032; at <= 14_000; at += 32) clock.reached(at, 10_000 + at + 3_000);
  expect(clock.instantOf(13_000)).toBe(26_000);
  clock.reached(32, 40_032);
  expect(clock.instantOf(20)).toBe(40_020);
});

/** A detector that hears what it is told. */
class Detector extends VAD {
  label = 'detector';
  constructor(private readonly events: readonly Partial<VADEvent>[]) {
    super({ updateInterval: 32 });
  }
  override stream(): VADStream {
    const events = this.events.values();
    const next = () => {
      const { value, done = false } = events.next();
      vi.setSystemTime(100_000 + (value?.timestamp ?? 0) + (value?.inferenceDuration ?? 0));
      return Promise.resolve({ value, done });
    };
    return { next } as unknown as VADStream;
  }
}

test('F3: the end of speech is where silence began, however late it is noticed', async () => {
  vi.useFakeTimers();
  const inference = { type: VADEventType.INFERENCE_DONE };
  const vad = new Detector([
    { ...inference, timestamp: 1_000, inferenceDuration: 10 },
    { ...inference, timestamp: 3_000, inferenceDuration: 900 },
    { type: VADEventType.END_OF_SPEECH, timestamp: 3_000, silenceDuration: 500, inferenceDuration: 900 },
  ]);
  const stopped: number[] = [];
  watchEndOfSpeech(vad, (atMs) => stopped.push(atMs));
  const stream = vad.stream();
  while ((await stream.next()).done !== true);
  expect(stopped).toEqual([102_510]);
  vi.useRealTimers();
});
