import { voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';

/** Below it nobody hears anything: what speech begins with, and the noise of voices that were made. Of 32,768. */
const audible = 300;

/** Milliseconds of silence at the beginning of a frame; null if all of it is silent. */
function silenceIn({ data, channels, sampleRate }: AudioFrame): number | null {
  const at = data.findIndex((sample) => Math.abs(sample) > audible);
  return at < 0 ? null : (Math.floor(at / channels) * 1000) / sampleRate;
}

const lengthOf = ({ samplesPerChannel, sampleRate }: AudioFrame): number => (samplesPerChannel * 1000) / sampleRate;

/**
 * Tells when the first sound of each thing that the agent says goes out. What is decided to be said may wait, for a track that
 * the callee's side has not taken yet or a process that is busy, and voices begin with silence.
 *
 * @param sounded called with the instant, in milliseconds since the epoch
 */
export function watchFirstSound(output: voice.AudioOutput, sounded: (atMs: number) => void): void {
  /** When the first frame of what is said went out. */
  let startedMs: number | null = null;
  /** Where its first sound is, after its beginning; null until it is known. */
  let soundMs: number | null = null;
  let [silentMs, isTold] = [0, false];

  function tell(): void {
    if (isTold || startedMs === null || soundMs === null) return;
    isTold = true;
    sounded(startedMs + soundMs);
  }
  const forget = (): void => {
    [startedMs, soundMs, silentMs, isTold] = [null, null, 0, false];
  };
  const capture = output.captureFrame.bind(output);
  output.captureFrame = async (frame) => {
    if (!isTold && soundMs === null) {
      const before = silenceIn(frame);
      if (before === null) silentMs += lengthOf(frame);
      else {
        // A voice that falls behind its own silence is heard when it comes.
        const lateMs = startedMs === null ? 0 : Math.max(0, Date.now() - startedMs - silentMs);
        soundMs = silentMs + lateMs + before;
        tell();
      }
    }
    await capture(frame);
  };
  output.on(voice.AudioOutput.EVENT_PLAYBACK_STARTED, ({ createdAt }: { readonly createdAt: number }) => {
    startedMs ??= createdAt;
    tell();
  });
  output.on(voice.AudioOutput.EVENT_PLAYBACK_FINISHED, forget);
  const clear = output.clearBuffer.bind(output);
  output.clearBuffer = () => {
    // What is taken back before it has begun never finishes.
    if (startedMs === null) forget();
    clear();
  };
}
