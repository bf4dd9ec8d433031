import type { Callers, RetryPlan, Window, Windows } from './judge/evidence.js';
import { clockOf, dateOf } from './judge/window.js';
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
  readonly window: Windows;
  readonly mostAtOnce: number | null;
  readonly schedule: Schedule | null;
  readonly startsAtMs: number | undefined;
  readonly callers: Callers;
  readonly stopAfterAnswered: number | null;
  /** After so many successes nobody else is called; its agent analyzes. */
  readonly stopAfterSuccess: number | null;
  /** 1 to 9. */
  readonly priority: number;
  /** When nobody is called any more. */
  readonly stopAtMs: number | null;
  readonly maxCost: number | null;
}

export function chooseRetry(chance: Chance): RetryPlan | null {
  if (chance.happens(0.25)) return null;
  const retryOn = outcomes.filter(() => chance.happens(0.6));
  const retryDelays = Array.from({ length: chance.whole(1, 3) }, () => chance.whole(1, 6));
  return { retryOn: retryOn.length === 0 ? ['rejected'] : retryOn, retryDelays };
}

/** One window or a list, with dates on which nothing opens: today's, or another. */
export function chooseWindows(chance: Chance, nowMs: number): Windows {
  const windows = Array.from({ length: chance.happens(0.5) ? 1 : chance.whole(2, 3) }, () =>
    chooseWindow(chance, nowMs),
  );
  return windows.map((window) => {
    if (!chance.happens(0.3)) return window;
    const days = chance.pick([[0], [-1], [1], [0, 1], [1, 2]] as const);
    return { ...window, except: days.map((day) => dateOf(nowMs + day * 1440 * minuteMs, window.timezone)) };
  });
}

/** After so many answers nobody else is called. */
export const chooseStopAfter = (chance: Chance): number => chance.whole(1, 25);

/** The same of successes: about one in five that are answered is one. */
export const chooseStopAfterSuccess = (chance: Chance): number => chance.whole(1, 6);

/** At the cost of so many answered calls nobody else is called. */
export const chooseMaxCost = (chance: Chance): number => chance.whole(1, 25);

/** An instant that comes while the batch may go on. */
export const chooseStopAt = (chance: Chance, fromMs: number): number => fromMs + chance.whole(8_000, 60_000);

/** A batch as a request has its list of windows: a single one stands alone. */
export const windowsBody = (windows: Windows): object | null =>
  windows === null ? null : windows.length === 1 ? (windows[0] ?? null) : windows;

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

/** What a batch calls from: the plain number of its account, all numbers with limits, or only those with a limit a day. */
function chooseCallers(chance: Chance, plain: string, limited: readonly string[]): Callers {
  if (chance.happens(0.6)) return { numbers: [plain], onRetry: 'same' };
  const numbers = chance.happens(0.7) ? limited : limited.filter((_, place) => place % 2 === 0);
  return { numbers, onRetry: chance.pick(['same', 'other']) };
}

export interface Callable {
  /** Its number without limits. */
  readonly from: string;
  /** Those with limits. */
  readonly limited: readonly string[];
}

export function choosePlan(chance: Chance, nowMs: number, { from, limited }: Callable): BatchPlan {
  const isScheduled = chance.happens(0.15);
  const startsAtMs = Math.ceil(nowMs / minuteMs) * minuteMs;
  const callers = chooseCallers(chance, from, limited);
  const stops = chance.pick(['answered', 'success', null, null, null] as const);
  // Numbers with limits call slowly.
  const mostPeople = callers.numbers.length === 1 ? 400 : 60;
  return {
    ...{ json: chance.happens(0.5), open: chance.happens(0.5) },
    callers,
    size: chance.happens(0.3)
      ? chance.whole(Math.min(150, mostPeople), mostPeople)
      : chance.whole(1, Math.min(80, mostPeople)),
    retry: chooseRetry(chance),
    window: chance.happens(0.25) ? chooseWindows(chance, nowMs) : null,
    stopAfterAnswered: stops === 'answered' ? chooseStopAfter(chance) : null,
    stopAfterSuccess: stops === 'success' ? chooseStopAfterSuccess(chance) : null,
    priority: chance.happens(0.5) ? 5 : chance.whole(1, 9),
    stopAtMs: chance.happens(0.15) ? chooseStopAt(chance, isScheduled ? startsAtMs : nowMs) : null,
    maxCost: chance.happens(0.2) ? chooseMaxCost(chance) : null,
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

/** Of these priorities two batches contend for one gateway: the weights are 9 to 1, 9 to 2 and 8 to 1. */
const contested = [
  [1, 9],
  [1, 8],
  [2, 9],
] as const;

/** So many that one workflow has them all in the queue at once, and both wait for long. */
const contestants = 240;

/** Two batches of the same gateway that nothing but their priorities keeps from being called. */
export function chooseContest(chance: Chance, from: string): BatchPlan[] {
  return chance.pick(contested).map((priority) => ({
    ...{ json: false, open: false, size: contestants, priority, callers: { numbers: [from], onRetry: 'same' } },
    ...{ retry: null, window: null, mostAtOnce: null, schedule: null, startsAtMs: undefined },
    ...{ stopAfterAnswered: null, stopAfterSuccess: null, stopAtMs: null, maxCost: null },
  }));
}
