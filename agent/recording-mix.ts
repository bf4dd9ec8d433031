/** Of what is recorded: the wide band of telephones. */
export const recordingRate = 16_000;
export const frameMs = 20;
const frameSamples = (recordingRate * frameMs) / 1_000;

/** Whose sound it is. */
export type Side = 'callee' | 'agent';

/** Sound that does not come as it should is put where its time says. */
const longestGap = recordingRate / 10;
const longestLead = recordingRate;
/** What waits to be taken; more is lost. A multiple of a frame. */
const windowFrames = 500;
const windowSamples = windowFrames * frameSamples;

/** Two sounds on one clock. Its memory is that of its window, ten seconds. */
export interface Mix {
  /** Sound that has just come. @param endsAtMs when it ended, after the beginning of the recording */
  hear(side: Side, samples: Int16Array, endsAtMs: number): void;
  /**
   * What is complete up to an instant, in frames of both sides in turn, callee first; silence where nothing was heard.
   *
   * @param most frames at a time
   */
  take(untilMs: number, most: number): Int16Array[];
  /** Whole frames taken so far, from the beginning of the recording. */
  readonly frames: number;
}

/** @param from frames of the recording that are there already */
export function createMix(from: number): Mix {
  const ring = new Int16Array(windowSamples * 2);
  const next: Record<Side, number> = { callee: from * frameSamples, agent: from * frameSamples };
  let taken = from;

  return {
    get frames() {
      return taken;
    },

    hear(side, samples, endsAtMs) {
      const due = Math.round((endsAtMs * recordingRate) / 1_000) - samples.length;
      const expected = next[side];
      const begin = due - expected > longestGap || expected - due > longestLead ? due : expected;
      next[side] = begin + samples.length;
      const channel = side === 'callee' ? 0 : 1;
      const [oldest, newest] = [taken * frameSamples, taken * frameSamples + windowSamples];
      for (let at = Math.max(begin, oldest); at < Math.min(next[side], newest); at++) {
        ring[(at % windowSamples) * 2 + channel] = samples[at - begin] ?? 0;
      }
    },

    take(untilMs, most) {
      const until = Math.min(Math.floor(untilMs / frameMs), taken + most);
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
