/** Of what is recorded: the wide band of telephones. */
export const recordingRate = 16_000;
export const frameMs = 20;
const frameSamples = (recordingRate * frameMs) / 1_000;

/** Whose sound it is. */
export type Side = 'callee' | 'agent';

/** Sound of a track comes without gaps, if at times late and all at once; what is further from its place is put there. */
const longestShift = recordingRate;
/** How long the mix waits for a side that is late. */
const longestWaitFrames = 100;
/** Most sound that waits to be taken; more is lost. A multiple of a frame. */
const windowFrames = 500;
const windowSamples = windowFrames * frameSamples;

/** Two sounds on one clock. Its memory is that of its window, ten seconds. */
export interface Mix {
  /** A new track of a side: its first sound is put where its time says. */
  begin(side: Side): void;
  /** Sound that has just come. @param endsAtMs when it ended, after the beginning of the recording */
  hear(side: Side, samples: Int16Array, endsAtMs: number): void;
  /**
   * What there is up to an instant, in frames of both sides in turn, callee first; silence if nothing was heard.
   *
   * @param most frames at a time
   * @param isOver nothing more comes: do not wait for a side
   */
  take(untilMs: number, most: number, isOver?: boolean): Int16Array[];
  /** Whole frames taken so far, from the beginning of the recording. */
  readonly frames: number;
}

/** @param from frames that the recording already has */
export function createMix(from: number): Mix {
  const ring = new Int16Array(windowSamples * 2);
  /** Where the sound of a side goes on, in samples; null: wherever its time says. */
  const next: Record<Side, number | null> = { callee: null, agent: null };
  let taken = from;

  function readyFrames(untilMs: number): number {
    const due = Math.floor(untilMs / frameMs);
    const heard = [next.callee, next.agent].map((at) => (at === null ? due : Math.floor(at / frameSamples)));
    return Math.min(due, ...heard.filter((frames) => due - frames <= longestWaitFrames));
  }

  return {
    get frames() {
      return taken;
    },

    begin(side) {
      next[side] = null;
    },

    hear(side, samples, endsAtMs) {
      const due = Math.round((endsAtMs * recordingRate) / 1_000) - samples.length;
      const expected = next[side];
      const begin = expected === null || Math.abs(due - expected) > longestShift ? due : expected;
      const end = begin + samples.length;
      next[side] = end;
      const channel = side === 'callee' ? 0 : 1;
      const oldest = taken * frameSamples;
      for (let at = Math.max(begin, oldest); at < Math.min(end, oldest + windowSamples); at++) {
        ring[(at % windowSamples) * 2 + channel] = samples[at - begin] ?? 0;
      }
    },

    take(untilMs, most, isOver = false) {
      const until = Math.min(isOver ? Math.floor(untilMs / frameMs) : readyFrames(untilMs), taken + most);
      const frames: Int16Array[] = [];
      while (taken < until) {
        const place = (taken % windowFrames) * frameSamples * 2;
        const stretch = ring.subarray(place, place + frameSamples * 2);
        frames.push(stretch.slice());
        stretch.fill(0);
        taken += 1;
      }
      return frames;
    },
  };
}
