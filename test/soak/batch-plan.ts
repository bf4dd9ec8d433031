import type { RetryPlan, Window } from './judge/evidence.js';
import { clockOf } from './judge/window.js';
import type { Chance } from './random.js';

const zones = [
  'UTC',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Europe/Berlin',
  'Pacific/Chatham',
  'Asia/Calcutta',
] as const;
const outcomes = ['failed', 'not-answered', 'rejected', 'missed', 'abandoned', 'voicemail'] as const;
const minuteMs = 60_000;

export interface Schedule {
  readonly date: string;
  readonly time: string;
  readonly timezone: string;
}

/** What a batch is created with. */
export interface BatchPlan {
  readonly size: number;
  /** Created with recipients as JSON instead of a file. */
  readonly json: boolean;
  /** It waits for more recipients. */
  readonly open: boolean;
  readonly retry: RetryPlan | null;
  readonly window: Window | null;
  readonly mostAtOnce: number | null;
  readonly schedule: Schedule | null;
  readonly startsAtMs: number | undefined;
}

export function chooseRetry(chance: Chance): RetryPlan | null {
  if (chance.happens(0.25)) return null;
  const retryOn = outcomes.filter(() => chance.happens(0.6));
  const retryDelays = Array.from({ length: chance.whole(1, 3) }, () => chance.whole(1, 6));
  return { retryOn: retryOn.length === 0 ? ['rejected'] : retryOn, retryDelays };
}

/** Hours that close within two minutes, open within two, or are open for long. */
export function chooseWindow(chance: Chance, nowMs: number): Window {
  const timezone = chance.pick(zones);
  const soonMs = nowMs + chance.whole(1, 2) * minuteMs;
  const [fromMs, untilMs] = chance.pick([
    [nowMs - 120 * minuteMs, soonMs],
    [soonMs, nowMs + 180 * minuteMs],
    [nowMs - 60 * minuteMs, nowMs + 180 * minuteMs],
  ] as const);
  const until = clockOf(untilMs, timezone);
  return { from: clockOf(fromMs, timezone), until: until === '00:00' ? '24:00' : until, timezone };
}

export function choosePlan(chance: Chance, nowMs: number): BatchPlan {
  const isScheduled = chance.happens(0.15);
  const startsAtMs = Math.ceil(nowMs / minuteMs) * minuteMs;
  return {
    ...{ json: chance.happens(0.5), open: chance.happens(0.5) },
    size: chance.happens(0.3) ? chance.whole(150, 400) : chance.whole(1, 80),
    retry: chooseRetry(chance),
    window: chance.happens(0.25) ? chooseWindow(chance, nowMs) : null,
    mostAtOnce: chance.happens(0.3) ? chance.whole(1, 6) : null,
    ...(isScheduled
      ? { schedule: scheduleAt(startsAtMs, chance.pick(zones)), startsAtMs }
      : { schedule: null, startsAtMs: undefined }),
  };
}

function scheduleAt(atMs: number, timezone: string): Schedule {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(atMs);
  return { date, time: clockOf(atMs, timezone), timezone };
}
