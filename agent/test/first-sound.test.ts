import { EventEmitter } from 'node:events';
import { initializeLogger, voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { beforeEach, expect, test, vi } from 'vitest';
import { watchFirstSound } from '../conversation/first-sound.js';

initializeLogger({ pretty: false, level: 'fatal' });
const rate = 24_000;
/** A frame of 20 ms that is silent for so long. */
function frame(silentMs: number): AudioFrame {
  const data = new Int16Array(rate / 50).fill(4_000);
  data.fill(5, 0, (silentMs * rate) / 1_000);
  return new AudioFrame(data, rate, 1, data.length);
}
const [sound, silence] = [frame(0), frame(20)];

/** An output that plays what it is given as soon as someone has taken its track. */
class Output extends voice.AudioOutput {
  private playing = false;
  constructor(readonly taken: () => boolean) {
    super(rate);
  }
  override async captureFrame(given: AudioFrame): Promise<void> {
    await super.captureFrame(given);
    while (!this.taken()) await new Promise((resolve) => setTimeout(resolve, 10));
    if (!this.playing) this.onPlaybackStarted(Date.now());
    this.playing = true;
  }
  finish(): void {
    this.flush();
    this.playing = false;
    this.onPlaybackFinished({ playbackPosition: 1, interrupted: false });
  }
  override clearBuffer(): void {
    this.playing = false;
  }
}

let heard: number[];
let isTaken: boolean;
let output: Output;
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  [heard, isTaken] = [[], true];
  output = new Output(() => isTaken);
  expect(output).toBeInstanceOf(EventEmitter);
  watchFirstSound(output, (atMs) => heard.push(atMs - 1_000_000));
  return () => {
    vi.useRealTimers();
  };
});

test('F3: the silence that a voice begins with is not its first sound', async () => {
  for (const each of [silence, silence, frame(5), sound]) await output.captureFrame(each);
  expect(heard).toEqual([45]);
});

test('F3: what is decided to be said and waits for its track has not been heard', async () => {
  isTaken = false;
  const given = output.captureFrame(sound);
  await vi.advanceTimersByTimeAsync(400);
  expect(heard).toEqual([]);
  isTaken = true;
  await vi.advanceTimersByTimeAsync(10);
  await given;
  expect(heard).toEqual([410]);
});

test('F3: a voice that stops short after its silence is heard when its sound comes', async () => {
  await output.captureFrame(silence);
  vi.setSystemTime(1_000_700);
  await output.captureFrame(sound);
  expect(heard).toEqual([700]);
});

test('each thing that is said has one first sound', async () => {
  await output.captureFrame(sound);
  await output.captureFrame(sound);
  output.finish();
  vi.setSystemTime(1_005_000);
  await output.captureFrame(sound);
  expect(heard).toEqual([0, 5_000]);
});

test('what was taken back before it began leaves nothing behind for what is said next', async () => {
  isTaken = false;
  void output.captureFrame(silence);
  output.clearBuffer();
  isTaken = true;
  await vi.advanceTimersByTimeAsync(20);
  output.finish();
  const from = Date.now() - 1_000_000;
  await output.captureFrame(sound);
  expect(heard).toEqual([from]);
});
