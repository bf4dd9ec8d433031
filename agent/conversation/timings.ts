import type { RunTimings, TurnTiming } from '../../db/queries/calls/agent-runs.js';

/** Measures how long a callee waits to be spoken to. All instants are in milliseconds since the epoch. */
export interface Timings {
  /** The agent's first sound will be its greeting: how long the callee waits for it is measured. */
  greets(): void;
  /** The phone was picked up at this instant; it may become known after the greeting has begun. */
  answered(atMs: number): void;
  /** The callee speaks: an end of speech before this one no longer counts. */
  calleeSpeaks(): void;
  /** The callee has stopped speaking. Of several reports about one stretch of speech the first counts. */
  calleeStopped(atMs: number): void;
  /** What the callee said was understood as a turn. @param stoppedAtMs when its speech ended by another account, if there is one */
  turnTaken(stoppedAtMs?: number): void;
  /** The agent speaks unprompted: nothing that follows answers the callee. */
  ownAccord(): void;
  /** A sound of the agent has gone out, the first of what it says. */
  sounded(atMs: number): void;
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
  let greetedMs: number | null = null;
  let greeting: 'none' | 'awaited' | 'measured' = 'none';
  let answeredToSpeechMs: number | null = null;
  let stoppedMs: number | null = null;
  let isDue = false;
  const turns: TurnTiming[] = [];

  function measureGreeting(): void {
    if (greeting !== 'awaited' || answeredMs === null || greetedMs === null) return;
    greeting = 'measured';
    answeredToSpeechMs = Math.max(0, Math.round(greetedMs - answeredMs));
    listener.onGreeting(answeredToSpeechMs);
    listener.onChange({ answeredToSpeechMs, turns });
  }

  return {
    greets() {
      if (greeting === 'none') greeting = 'awaited';
    },
    answered(atMs) {
      answeredMs = atMs;
      measureGreeting();
    },
    calleeSpeaks() {
      stoppedMs = null;
    },
    calleeStopped(atMs) {
      stoppedMs ??= atMs;
    },
    turnTaken(atMs) {
      // A noise that was no turn, or a turn that was answered before its words were there.
      if (stoppedMs === null) return;
      stoppedMs = Math.min(stoppedMs, atMs ?? stoppedMs);
      isDue = true;
    },
    ownAccord() {
      stoppedMs = null;
      isDue = false;
    },
    sounded(atMs) {
      const saidMs = isDue ? stoppedMs : null;
      stoppedMs = null;
      isDue = false;
      if (greeting === 'awaited' && greetedMs === null) {
        greetedMs = atMs;
        measureGreeting();
        return;
      }
      if (saidMs === null || turns.length >= mostTurns) return;
      const ms = Math.max(0, Math.round(atMs - saidMs));
      turns.push({ at: new Date(atMs).toISOString(), ms });
      listener.onTurn(ms);
      listener.onChange({ answeredToSpeechMs, turns });
    },
  };
}
