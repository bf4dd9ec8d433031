import { type CallingWindow, nextOpening, zonesOfWindow } from '../call/calling-window.js';
import type { BatchStatus } from './batch-call.js';
import type { PauseReason } from './pause-reasons.js';
import { listedWaitingReasons, type WaitingReason, waitingReasons } from './waiting-reasons.js';

/** What holds single recipients for a time that is known. */
export type Hold = Extract<
  WaitingReason,
  'retry_delay' | 'callback' | 'not_before' | 'guardrail_hours' | 'daily_limit'
>;

/** Recipients that may be called in the same zones and are held by the same. */
export interface WaitGroup {
  /** Empty: nothing is known. */
  readonly zones: readonly string[];
  /** null: nothing of their own. */
  readonly hold: Hold | null;
  /** First instant of the hold. */
  readonly until: Date | null;
  readonly calls: number;
}

/** Recipients about which the queue itself says something. */
export interface NearCalls {
  readonly zones: readonly string[];
  readonly reason: Extract<
    WaitingReason,
    'ready' | 'same_number_live' | 'gateway_rate' | 'gateway_limit' | 'number_limit' | 'retry_delay' | 'pre_dial'
  >;
  readonly until: Date | null;
  readonly calls: number;
}

/** How many more calls each limit lets out at this moment; what the claim works out (db/functions/claim-attempts.sql). */
export interface Room {
  readonly suspended: boolean;
  /** While suspended: when a call tries the gateway again. */
  readonly probeAt: Date | null;
  /** Calls that may try a suspended gateway. */
  readonly probes: number;
  /** When the gateway takes the next call by its calls per second. */
  readonly nextDialAt: Date | null;
  readonly limits: Readonly<
    Record<
      Extract<
        WaitingReason,
        'number_limit' | 'no_agent_slot' | 'batch_limit' | 'gateway_limit' | 'reserved' | 'gateway_rate'
      >,
      number
    >
  >;
  /** When the number to call from takes the next call by its own limits; null: an event decides, or it has none. */
  readonly numberFreeAt: Date | null;
}

/** What the endpoint of a batch has said. */
export interface PreDialFacts {
  /** Recipients in the queue whom it has cleared. */
  readonly cleared: number;
  /** It gives no usable answer, and is asked again then; null: it answers. */
  readonly failingUntil: Date | null;
}

/** What is known of the recipients of a batch that wait, all of one moment. */
export interface WaitingFacts {
  readonly now: Date;
  readonly status: BatchStatus;
  readonly startsAt: Date;
  /** Why nothing of the batch is dialed; null: nothing of that kind. */
  readonly held: PauseReason | null;
  readonly window: CallingWindow | null;
  /** The instant has come at which it stops. */
  readonly stopped: boolean;
  /** The queue is being moved to a window that was changed. */
  readonly windowMoving: boolean;
  /** Zone of recipients whose zone is unknown. */
  readonly timezone: string;
  /** All that wait: `pending` and `retrying`. */
  readonly total: number;
  /** Those of which zones or a hold are known; the others are in none. */
  readonly groups: readonly WaitGroup[];
  /** Some of those whom neither hours nor a hold keeps waiting. */
  readonly near: readonly NearCalls[];
  /** Whether an attempt is in the queue that is due. */
  readonly dueInQueue: boolean;
  readonly room: Room;
  /** Of a batch whose client is asked about recipients first; omitted: it is not. */
  readonly preDial?: PreDialFacts | undefined;
}

/** Recipients that wait for one reason. */
export interface Waits {
  readonly reason: WaitingReason;
  readonly count: number;
  /** When the first of them can go; null: an event decides. */
  readonly until: Date | null;
  /** Whose clock shows `until` to the first of them. */
  readonly zone: string;
  /** They go at different instants. */
  readonly spread: boolean;
  /** So many of them wait for a calling window that is never open in all of their time zones at once; omitted: none. */
  readonly neverOpen?: number;
}

const wholeBatch: Readonly<Partial<Record<PauseReason, WaitingReason>>> = {
  dialing_stopped: 'dialing_stopped',
  service_stopped: 'dialing_stopped',
  account_suspended: 'dialing_stopped',
};
/** These hold what is due; hours and delays hold longer. */
const heldByRoom: ReadonlySet<PauseReason> = new Set(['gateway_suspended', 'no_agent_worker']);

/**
 * Why each recipient that waits does so. The counts add up to `total` exactly, whatever the facts say: each step takes from
 * those that are left.
 *
 * @returns by reason, in the order of the list of reasons
 */
export function waitingOf(facts: WaitingFacts): Waits[] {
  const { total, status, held, startsAt, stopped, timezone } = facts;
  const all = (reason: WaitingReason, until: Date | null = null): Waits[] =>
    total > 0 ? [{ reason, count: total, until, zone: timezone, spread: false }] : [];
  if (status === 'parsing' || status === 'scheduled') return all('not_started', startsAt);
  if (status !== 'running' || stopped) return all('dialing_stopped');
  if (held !== null && !heldByRoom.has(held)) return all(wholeBatch[held] ?? 'paused');
  const tally = createTally(total);
  const open = takeHeld(facts, tally);
  takeOpen(facts, open, tally);
  return tally.result();
}

/** For these a recipient waits for a moment, as long as all is well. */
const momentary: ReadonlySet<WaitingReason> = new Set(['not_queued', 'ready']);

/**
 * The reasons that a tenth or more of the recipients wait for, in the order of the list, but for those of a moment. They change seldom
 * while the counts of a batch change all the time.
 */
export const mainReasons = (waits: readonly Waits[], total: number): readonly WaitingReason[] =>
  waits.flatMap(({ reason, count }) => (!momentary.has(reason) && count * 10 >= total ? [reason] : []));

type Tally = ReturnType<typeof createTally>;

function createTally(total: number) {
  const found = new Map<WaitingReason, Waits>();
  let left = total;
  return {
    left: () => left,
    /** Counts up to so many for this reason. */
    take(reason: WaitingReason, calls: number, zone: string, instant: Date | null = null, isNever = false): void {
      const count = Math.max(0, Math.min(calls, left));
      if (count === 0) return;
      left -= count;
      // When the queue is looked at again, is not when an event comes.
      const until = waitingReasons[reason].until === 'event' ? null : instant;
      const before = found.get(reason);
      const first = before?.until ?? null;
      const sooner = until !== null && (first === null || until < first);
      const neverOpen = (before?.neverOpen ?? 0) + (isNever ? count : 0);
      found.set(reason, {
        reason,
        count: count + (before?.count ?? 0),
        until: sooner ? until : first,
        zone: before === undefined || sooner ? zone : before.zone,
        spread: before !== undefined && (before.spread || first?.getTime() !== until?.getTime()),
        ...(neverOpen === 0 ? {} : { neverOpen }),
      });
    },
    of: (reason: WaitingReason) => found.get(reason),
    result: (): Waits[] => listedWaitingReasons.flatMap((reason) => found.get(reason) ?? []),
  };
}

interface Closed {
  readonly reason: WaitingReason;
  readonly until: Date | null;
  /** No hour of the window is open in all of their zones. */
  readonly isNever?: boolean;
}

/** What keeps a group waiting longest, of its hold and the calling window; null: nothing. */
function holdOf({ now, window, timezone }: WaitingFacts, group: WaitGroup): Closed | null {
  const heldUntil = group.hold !== null && group.until !== null && group.until > now ? group.until : null;
  if (window !== null) {
    const from = heldUntil ?? now;
    const opening = openingFrom(window, zonesOfWindow(window, group.zones, timezone), from);
    if (opening === 'unknown_zone') return { reason: 'calling_window', until: null };
    if (opening === null) return { reason: 'calling_window', until: null, isNever: true };
    if (opening > from) return { reason: 'calling_window', until: opening };
  }
  return heldUntil === null || group.hold === null ? null : { reason: group.hold, until: heldUntil };
}

/** @returns null if the window never opens; `unknown_zone` if this machine does not know one of the zones */
function openingFrom(window: CallingWindow, zones: readonly string[], from: Date): Date | 'unknown_zone' | null {
  try {
    return nextOpening(window, zones, from)?.opensAt ?? null;
  } catch (error) {
    if (error instanceof RangeError) return 'unknown_zone';
    throw error;
  }
}

/** Counts those whom hours or a hold keep waiting. @returns the zones of the others */
function takeHeld(facts: WaitingFacts, tally: Tally): ReadonlySet<string> {
  const { groups, total, windowMoving, timezone } = facts;
  const others = total - groups.reduce((sum, { calls }) => sum + calls, 0);
  const open = new Set<string>();
  for (const group of [...groups, { zones: [], hold: null, until: null, calls: others }]) {
    const zone = group.zones[0] ?? timezone;
    const hold: Closed | null = windowMoving ? { reason: 'calling_window', until: null } : holdOf(facts, group);
    if (hold === null) open.add(group.zones.join());
    else tally.take(hold.reason, group.calls, zone, hold.until, hold.isNever);
  }
  return open;
}

/**
 * A batch keeps at least 1,000 first attempts ahead of the dialer. If a tenth of them wait for the guardrails, those that are
 * not in the queue yet may have to wait for them (docs/architecture.md, Workflows).
 */
const heldAhead = 100;
const limitsInOrder = [
  'number_limit',
  'no_agent_slot',
  'batch_limit',
  'gateway_limit',
  'reserved',
  'gateway_rate',
] as const;

/** Counts those whom neither hours nor a hold keep waiting. */
function takeOpen(
  { now, near, room, dueInQueue, timezone, preDial }: WaitingFacts,
  open: ReadonlySet<string>,
  tally: Tally,
) {
  const suspendedUntil = room.probeAt !== null && room.probeAt > now ? room.probeAt : null;
  if (room.suspended && suspendedUntil !== null) {
    tally.take('gateway_suspended', tally.left(), timezone, suspendedUntil);
    return;
  }
  for (const { reason, calls, zones, until } of near) {
    if (open.has(zones.join())) tally.take(reason, calls, zones[0] ?? timezone, until);
  }
  // Those that are not in the queue yet come after those that are.
  const ahead = [tally.of('guardrail_hours'), tally.of('daily_limit')].flatMap((waits) => waits ?? []);
  const [first] = ahead.sort((a, b) => Number(a.until) - Number(b.until));
  const held = ahead.reduce((sum, { count }) => sum + count, 0);
  if (!dueInQueue && held >= heldAhead && first !== undefined) {
    tally.take(first.reason, tally.left(), first.zone, first.until);
    return;
  }
  const rooms = limitsInOrder.map((reason) => room.limits[reason]);
  const least = Math.max(0, Math.min(...rooms));
  const possible = room.suspended ? Math.min(least, room.probes) : least;
  const reason = dueInQueue || preDial !== undefined ? 'ready' : 'not_queued';
  tally.take(reason, Math.min(possible, preDial?.cleared ?? Infinity), timezone);
  if (preDial !== undefined && preDial.failingUntil !== null) {
    tally.take('pre_dial', tally.left(), timezone, preDial.failingUntil);
    return;
  }
  tally.take('pre_dial', preDial === undefined ? 0 : possible - preDial.cleared, timezone);
  const limit = limitsInOrder.find((reason) => Math.max(0, room.limits[reason]) === least) ?? 'gateway_rate';
  const nextDialAt = room.nextDialAt !== null && room.nextDialAt > now ? room.nextDialAt : now;
  const untilOf: Partial<Record<WaitingReason, Date | null>> = {
    gateway_rate: nextDialAt,
    number_limit: room.numberFreeAt !== null && room.numberFreeAt > now ? room.numberFreeAt : null,
  };
  if (room.suspended) tally.take('gateway_suspended', tally.left(), timezone);
  else tally.take(limit, tally.left(), timezone, untilOf[limit] ?? null);
}
