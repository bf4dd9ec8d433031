import { type VAD, VADEventType } from '@livekit/agents';

/** How long an estimate of when a stream began counts: two of these. */
const windowMs = 5_000;

/**
 * The clock of a sound that comes in at the speed at which it was made. A process that is busy takes it late, and all at once:
 * the least delay of late tells when it really was.
 */
export interface SoundClock {
  /** The sound up to this place, in milliseconds from its beginning, was taken at this instant. */
  reached(placeMs: number, nowMs: number): void;
  /** When what is at this place was heard; null before anything was taken. */
  instantOf(placeMs: number): number | null;
}

export function createSoundClock(): SoundClock {
  /** Least differences between instant and place: of the window that goes on, and of the one before. */
  let [now, before] = [Infinity, Infinity];
  let [openedMs, lastMs] = [0, 0];
  return {
    reached(placeMs, nowMs) {
      // It began anew.
      if (placeMs < lastMs) [now, before, openedMs] = [Infinity, Infinity, nowMs];
      lastMs = placeMs;
      if (nowMs - openedMs > windowMs) [before, now, openedMs] = [now, Infinity, nowMs];
      now = Math.min(now, nowMs - placeMs);
    },
    instantOf(placeMs) {
      const began = Math.min(now, before);
      return began === Infinity ? null : began + placeMs;
    },
  };
}

/** Tells when each stretch of speech that a detector hears ended by the clock of the sound, not when that was noticed. */
export function watchEndOfSpeech(vad: VAD, stopped: (atMs: number) => void): void {
  const open = vad.stream.bind(vad);
  vad.stream = () => {
    const stream = open();
    const clock = createSoundClock();
    const next = stream.next.bind(stream);
    stream.next = async () => {
      const result = await next();
      if (result.done === true) return result;
      const { type, timestamp, silenceDuration } = result.value;
      if (type === VADEventType.INFERENCE_DONE) clock.reached(timestamp, Date.now());
      const at = type === VADEventType.END_OF_SPEECH ? clock.instantOf(timestamp - silenceDuration) : null;
      if (at !== null) stopped(at);
      return result;
    };
    return stream;
  };
}
