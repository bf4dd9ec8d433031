import { cpus } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Pulse } from './strain.js';

const everyMs = 1_000;
const resolutionMs = 20;

function processorTimes(): { readonly used: number; readonly all: number } {
  const times = cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({ used: user + nice + sys + irq, idle }));
  const used = times.reduce((sum, each) => sum + each.used, 0);
  return { used, all: used + times.reduce((sum, { idle }) => sum + idle, 0) };
}

/**
 * Longest time that this process was late, asked for by a timer each second.
 *
 * The histogram alone misses what ends as that timer runs: it is read before the delay is in it, and a reset forgets when the delay
 * began. By that time the timer itself is late.
 */
function watchDelay(): { /** Since it was last asked, in milliseconds. */ longestMs(): number; stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let askedAtMs = performance.now();
  return {
    longestMs() {
      const nowMs = performance.now();
      const longest = Math.max(0, delay.max / 1e6 - resolutionMs, nowMs - askedAtMs - everyMs);
      delay.reset();
      askedAtMs = nowMs;
      return longest;
    },
    stop: () => void delay.disable(),
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
