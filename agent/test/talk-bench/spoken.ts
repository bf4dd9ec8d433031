import { execFileSync } from 'node:child_process';
import { AudioFrame, AudioResampler } from '@livekit/rtc-node';
import { sampleRate } from '../callee.js';

/** A speaker of espeak-ng. */
export interface Speaker {
  /** Such as `en-us+f3`. */
  readonly voice: string;
  readonly wordsPerMinute: number;
}

/** A telephone hears no higher than half of this. */
const telephoneRate = 8_000;
const silence = 300;

function resampled(samples: Int16Array, from: number, to: number): Int16Array {
  const resampler = new AudioResampler(from, to, 1);
  const frames = [...resampler.push(new AudioFrame(samples, from, 1, samples.length)), ...resampler.flush()];
  const all = new Int16Array(frames.reduce((sum, { samplesPerChannel }) => sum + samplesPerChannel, 0));
  let at = 0;
  for (const { data } of frames) {
    all.set(data, at);
    at += data.length;
  }
  return all;
}

/** Without the silence around it, so that its end is the end of speech. */
function trimmed(samples: Int16Array): Int16Array {
  const first = samples.findIndex((sample) => Math.abs(sample) > silence);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > silence);
  return samples.subarray(Math.max(0, first), last + 1);
}

/** What espeak-ng says, as it would come through a telephone, at `sampleRate`. */
export function spoken(text: string, { voice, wordsPerMinute }: Speaker): Int16Array {
  const wav = execFileSync('espeak-ng', ['-v', voice, '-s', String(wordsPerMinute), '--stdout', text], {
    maxBuffer: 64 * 1024 * 1024,
  });
  // RIFF: a header of 12 bytes, then the format, whose sample rate is 12 bytes into it, and the samples.
  const rate = wav.readUInt32LE(24);
  const from = wav.indexOf('data') + 8;
  const samples = new Int16Array((wav.length - from) >> 1).map((_, at) => wav.readInt16LE(from + 2 * at));
  return trimmed(resampled(resampled(samples, rate, telephoneRate), telephoneRate, sampleRate));
}
