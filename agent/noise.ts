import { AudioFrame, FrameProcessor } from '@livekit/rtc-node';
import { type DenoiseState, Rnnoise } from '@shiguredo/rnnoise-wasm';

/** RNNoise knows this rate only. */
export const noiseFreeSampleRate = 48_000;

/**
 * Noise cancellation by RNNoise, in this process. It takes 10 ms at a time; what is left over of a frame waits for the
 * next, so the sound comes at most 10 ms late.
 */
class NoiseCanceller extends FrameProcessor<AudioFrame> {
  private enabled = true;
  private waiting = new Int16Array(0);
  private done = new Int16Array(0);

  constructor(
    private readonly state: DenoiseState,
    private readonly frameSize: number,
  ) {
    super();
    // One frame of silence ahead, so that as much can be handed on as came in.
    this.done = new Int16Array(frameSize);
  }

  isEnabled(): boolean {
    return this.enabled;
  }

  setEnabled(enabled: boolean): void {
    this.enabled = enabled;
  }

  process(frame: AudioFrame): AudioFrame {
    if (!this.enabled || frame.sampleRate !== noiseFreeSampleRate || frame.channels !== 1) return frame;
    const input = joined(this.waiting, frame.data);
    const whole = input.length - (input.length % this.frameSize);
    const cleaned = new Int16Array(whole);
    const part = new Float32Array(this.frameSize);
    for (let from = 0; from < whole; from += this.frameSize) {
      part.set(input.subarray(from, from + this.frameSize));
      this.state.processFrame(part);
      cleaned.set(part.map(clipped), from);
    }
    this.waiting = input.slice(whole);
    const output = joined(this.done, cleaned);
    this.done = output.slice(frame.data.length);
    const data = output.slice(0, frame.data.length);
    return new AudioFrame(data, frame.sampleRate, 1, data.length);
  }

  close(): void {
    this.enabled = false;
    this.state.destroy();
  }
}

const clipped = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));

function joined(one: Int16Array, other: Int16Array): Int16Array<ArrayBuffer> {
  const both = new Int16Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** For one callee's audio at `noiseFreeSampleRate`. */
export async function createNoiseCanceller(): Promise<FrameProcessor<AudioFrame>> {
  const rnnoise = await Rnnoise.load();
  return new NoiseCanceller(rnnoise.createDenoiseState(), rnnoise.frameSize);
}
