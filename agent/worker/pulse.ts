import { cpus } from 'node:os';
import type { Pulse } from './strain.js';

const everyMs = 1_000;
const lookEveryMs = 20;

function processorTimes(): { readonly used: number; readonly all: number } {
  const times = cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({ used: user + nice + sys + irq, idle }));
  const used = times.reduce((sum, each) => sum + each.used, 0);
  return { used, all: used + times.reduce((sum, { idle }) => sum + idle, 0) };
}

/**
 * The longest time that this process was late since it was last asked, in milliseconds.
 *
 * `monitorEventLoopDelay` is no help: a reset makes it forget the delay that began before, and what begins before its next look.
 */
function watchDelay(): { longestMs(): number; stop(): void } {
  let [seenAtMs, longestMs] = [performance.now(), 0];
  const look = (): void => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - seenAtMs - lookEveryMs);
    seenAtMs = nowMs;
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return {
    longestMs() {
      look();
      const found = longestMs;
      longestMs = 0;
      return found;
    },
    stop: () => clearInterval(timer),
  };
}

export interface PulseMeter {
  /** A process of a conversation was late by this much. */
  lagged(ms: number): void;
  /** A greeting began this long after the answer. */
  greeted(ms: number): void;
  stop(): void;
}

/** Takes the pulse of the machine each second. */
export function takePulse(on: (pulse: Pulse) => void): PulseMeter {
  const delay = watchDelay();
  let before = processorTimes();
  let [lagMs, greetingMs] = [0, null as number | null];
  const timer = setInterval(() => {
    const now = processorTimes();
    on({
      processor: (now.used - before.used) / Math.max(1, now.all - before.all),
      lagMs: Math.max(delay.longestMs(), lagMs),
      greetingMs,
    });
    [before, lagMs, greetingMs] = [now, 0, null];
  }, everyMs).unref();
  return {
    lagged(ms) {
      lagMs = Math.max(lagMs, ms);
    },
    greeted(ms) {
      greetingMs = Math.max(greetingMs ?? 0, ms);
    },
    stop() {
      clearInterval(timer);
      delay.stop();
    },
  };
}

/** Lateness of a conversation's process below which nothing is told. */
const worthTellingMs = 100;

/** Tells each second by how much this process was late, if it was. @returns ends it */
export function watchLag(on: (ms: number) => void): () => void {
  const delay = watchDelay();
  const timer = setInterval(() => {
    const ms = Math.round(delay.longestMs());
    if (ms > worthTellingMs) on(ms);
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    delay.stop();
  };
}
