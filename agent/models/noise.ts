import { AudioFrame, FrameProcessor } from '@livekit/rtc-node';
import loadRnnoise from '@echogarden/rnnoise-wasm';

/** RNNoise knows this rate only. */
export const noiseFreeSampleRate = 48_000;

/** One stretch of sound through RNNoise. */
interface Denoiser {
  /** Samples that it takes at a time: 10 ms. */
  readonly frameSize: number;
  /** Takes the noise out, in place. */
  clean(samples: Float32Array): void;
  free(): void;
}

async function createDenoiser(): Promise<Denoiser> {
  const rnnoise = await loadRnnoise();
  const frameSize = rnnoise._rnnoise_get_frame_size();
  const state = rnnoise._rnnoise_create(0);
  const address = rnnoise._malloc(frameSize * Float32Array.BYTES_PER_ELEMENT);
  const index = address / Float32Array.BYTES_PER_ELEMENT;
  return {
    frameSize,
    clean(samples) {
      rnnoise.HEAPF32.set(samples, index);
      rnnoise._rnnoise_process_frame(state, address, address);
      samples.set(rnnoise.HEAPF32.subarray(index, index + frameSize));
    },
    free() {
      rnnoise._free(address);
      rnnoise._rnnoise_destroy(state);
    },
  };
}

const clipped = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));

function joined(one: Int16Array, other: Int16Array): Int16Array<ArrayBuffer> {
  const both = new Int16Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/**
 * Noise cancellation by RNNoise, in this process. It takes 10 ms at a time; what is left over of a frame waits for the
 * next, so the sound comes 10 ms late.
 */
class NoiseCanceller extends FrameProcessor<AudioFrame> {
  private enabled = true;
  private closed = false;
  private waiting = new Int16Array(0);
  private done: Int16Array<ArrayBuffer>;

  constructor(private readonly denoiser: Denoiser) {
    super();
    // One frame of silence ahead, so that as much can be handed on as came in.
    this.done = new Int16Array(denoiser.frameSize);
  }

  isEnabled(): boolean {
    return this.enabled;
  }

  setEnabled(enabled: boolean): void {
    this.enabled = enabled;
  }

  process(frame: AudioFrame): AudioFrame {
    if (!this.enabled || frame.sampleRate !== noiseFreeSampleRate || frame.channels !== 1) return frame;
    const { frameSize } = this.denoiser;
    const input = joined(this.waiting, frame.data);
    const whole = input.length - (input.length % frameSize);
    const cleaned = new Int16Array(whole);
    const part = new Float32Array(frameSize);
    for (let from = 0; from < whole; from += frameSize) {
      part.set(input.subarray(from, from + frameSize));
      this.denoiser.clean(part);
      cleaned.set(part.map(clipped), from);
    }
    this.waiting = input.slice(whole);
    const output = joined(this.done, cleaned);
    this.done = output.slice(frame.data.length);
    const data = output.slice(0, frame.data.length);
    return new AudioFrame(data, frame.sampleRate, 1, data.length);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.enabled = false;
    this.denoiser.free();
  }
}

/** For one callee's audio at `noiseFreeSampleRate`. */
export const createNoiseCanceller = async (): Promise<FrameProcessor<AudioFrame>> =>
  new NoiseCanceller(await createDenoiser());
