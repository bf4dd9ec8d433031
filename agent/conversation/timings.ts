import type { RunTimings, TurnTiming } from '../../db/queries/calls/agent-runs.js';

/** Measures how long a callee waits to be spoken to. All instants are in milliseconds since the epoch. */
export interface Timings {
  /** The phone was picked up. */
  answered(atMs: number): void;
  /** The callee stops speaking. */
  calleeStopped(atMs: number): void;
  /** What the callee said was understood as a turn. @param stoppedAtMs when speech ended, if that is known more exactly */
  turnTaken(stoppedAtMs?: number): void;
  /** The agent speaks unprompted: nothing that follows answers the callee. */
  ownAccord(): void;
  /** The agent's first sound. */
  spoke(atMs: number): void;
}

export interface TimingListener {
  readonly onGreeting: (ms: number) => void;
  readonly onTurn: (ms: number) => void;
  /** Called when a measurement was added. */
  readonly onChange: (timings: RunTimings) => void;
}

/** Turns that are measured of one conversation: each is stored with all before it, and more would tell nothing new. */
const mostTurns = 500;

export function measureTimings(listener: TimingListener): Timings {
  let answeredMs: number | null = null;
  let answeredToSpeechMs: number | null = null;
  let stoppedMs: number | null = null;
  let isDue = false;
  const turns: TurnTiming[] = [];

  return {
    answered(atMs) {
      answeredMs = atMs;
    },
    calleeStopped(atMs) {
      stoppedMs = atMs;
    },
    turnTaken(atMs) {
      // A noise that was no turn, or a turn that was answered before its words were there.
      if (stoppedMs === null) return;
      stoppedMs = atMs ?? stoppedMs;
      isDue = true;
    },
    ownAccord() {
      stoppedMs = null;
      isDue = false;
    },
    spoke(atMs) {
      const saidMs = isDue ? stoppedMs : null;
      stoppedMs = null;
      isDue = false;
      if (answeredMs !== null && answeredToSpeechMs === null) {
        answeredToSpeechMs = Math.round(atMs - answeredMs);
        listener.onGreeting(answeredToSpeechMs);
      } else {
        if (saidMs === null || turns.length >= mostTurns) return;
        const ms = Math.max(0, Math.round(atMs - saidMs));
        turns.push({ at: new Date(atMs).toISOString(), ms });
        listener.onTurn(ms);
      }
      listener.onChange({ answeredToSpeechMs, turns });
    },
  };
}
