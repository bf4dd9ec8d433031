import { recordingRate, type Side } from './mix.js';

/** Sound of a track that is taken before it is placed: long enough that some of it comes without delay. */
const heldMs = 500;
/** Further from its place than this, sound is no longer late: there was a gap. */
const gapMs = 1_000;

interface Track {
  /** When the track began, by the least delay so far, in milliseconds since the epoch. */
  beganMs: number;
  /** Sound of it so far. */
  lengthMs: number;
  /** What is not placed yet, with where it ends in the track; null: all that comes is placed at once. */
  held: { readonly samples: Int16Array; readonly endMs: number }[] | null;
}

/** What a placer makes of sound: where each piece ended, in milliseconds since the epoch. */
export interface Placed {
  readonly begin: (side: Side) => void;
  readonly hear: (side: Side, samples: Int16Array, endsAtMs: number) => void;
}

export interface Placer {
  begin(side: Side): void;
  hear(side: Side, samples: Int16Array, nowMs: number): void;
  /** Places what is held: nothing more comes. */
  flush(): void;
}

/**
 * Finds out when sound was heard that is taken late, and all at once, by a process that is busy: the tracks of a call have no
 * gaps, so where a piece is in its track tells when it was.
 */
export function createPlacer({ begin, hear }: Placed): Placer {
  const tracks: Record<Side, Track | null> = { callee: null, agent: null };

  function place(side: Side): void {
    const track = tracks[side];
    const held = track?.held ?? null;
    if (track === null || held === null) return;
    track.held = null;
    begin(side);
    for (const { samples, endMs } of held) hear(side, samples, track.beganMs + endMs);
  }

  function startTrack(side: Side): Track {
    place(side);
    const track: Track = { beganMs: Infinity, lengthMs: 0, held: [] };
    tracks[side] = track;
    return track;
  }

  return {
    begin(side) {
      startTrack(side);
    },
    hear(side, samples, nowMs) {
      const pieceMs = (samples.length * 1_000) / recordingRate;
      let track = tracks[side] ?? startTrack(side);
      if (nowMs - track.beganMs - track.lengthMs - pieceMs > gapMs && track.held === null) track = startTrack(side);
      track.lengthMs += pieceMs;
      track.beganMs = Math.min(track.beganMs, nowMs - track.lengthMs);
      if (track.held === null) hear(side, samples, track.beganMs + track.lengthMs);
      else {
        track.held.push({ samples, endMs: track.lengthMs });
        if (track.lengthMs >= heldMs) place(side);
      }
    },
    flush() {
      place('callee');
      place('agent');
    },
  };
}

/** A piece of sound, or the beginning of a track, in the order in which they came. */
type Heard = { readonly side: Side } | { readonly side: Side; readonly samples: Int16Array; readonly endsAtMs: number };

/** Sound that is placed before it is known what it belongs to. */
export interface Waiting extends Placed {
  /** Where the oldest that waits begins; null if nothing does. */
  readonly fromMs: number | null;
  /** Passes on what waits, and from now on all that comes. */
  release(to: Placed): void;
}

/** @param mostPieces the latest that are kept: what is older when more comes is lost */
export function createWaiting(mostPieces: number): Waiting {
  let waiting: Heard[] = [];
  let target: Placed | null = null;
  const beginOf = (heard: Heard): number | null =>
    'samples' in heard ? heard.endsAtMs - (heard.samples.length * 1_000) / recordingRate : null;
  return {
    begin(side) {
      if (target === null) waiting.push({ side });
      else target.begin(side);
    },
    hear(side, samples, endsAtMs) {
      if (target !== null) {
        target.hear(side, samples, endsAtMs);
        return;
      }
      waiting.push({ side, samples, endsAtMs });
      if (waiting.length > mostPieces) waiting.shift();
    },
    get fromMs() {
      const begins = waiting.map(beginOf).filter((at) => at !== null);
      return begins.length === 0 ? null : Math.min(...begins);
    },
    release(to) {
      target = to;
      for (const heard of waiting) {
        if ('samples' in heard) to.hear(heard.side, heard.samples, heard.endsAtMs);
        else to.begin(heard.side);
      }
      waiting = [];
    },
  };
}
