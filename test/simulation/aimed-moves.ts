import { smooth, type Happening } from './happenings.js';
import { turns, windowOf } from './hours.js';
import { chosen, type Act, type MovesDeps } from './move.js';
import { guardedBy, guardrailsText, laterBy, planBy, windowText } from './orders.js';
import type { MoveKind } from './scenario.js';
import { settle, type Process } from './time.js';
import type { PlannedCall } from './setting.js';

/** What the gate is asked (db/queries/dialer/gate-attempts.ts). */
const ofGate = 'select gated_call_id';
/** What is asked first when a batch is to end (db/queries/batches/finish.ts). */
const ofFinish = 'select b.status, b.open';
/** What is asked first about the ends of legs (db/queries/dialer/commit-progress.ts). */
const ofOutcome = 'select a.call_id as "callId", a.number as attempt, a.claim_i';
const mostStepsTo = 60;
/** A minute that ends later is not waited for. */
const mostMsToMinute = 4_000;
/** A process that sleeps longer is left asleep. */
const mostStepsAsleep = 250;
/** Long enough for a retry to be dialed. */
const mostMsAsleep = 30_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** So long before the end of a minute an attempt that stands before the gate is stopped there: dialers wait no longer. */
const beforeMinuteMs = 140;

/**
 * Moves that wait until something is about to happen, and have something else happen first. By chance two statements that
 * have to come one right after the other seldom do.
 *
 * @param addRecipients sends a request to add recipients to a batch
 */
export function aimedMoves(deps: MovesDeps, addRecipients: Act): Partial<Record<MoveKind, Act>> {
  const { scenario, time, engine, dialers, operator, order, note } = deps;
  const { turn } = scenario.setting.begins;

  const found = (wanted: (happening: Happening) => boolean) => engine.possible().find(wanted);

  /** Goes on until something wanted can happen next; undefined if it does not come. */
  async function until(wanted: (happening: Happening) => boolean): Promise<Happening | undefined> {
    for (let left = mostStepsTo; left > 0 && found(wanted) === undefined; left -= 1) await engine.flow();
    return found(wanted);
  }

  const atGate = ({ what }: Happening): boolean => what.startsWith(ofGate);

  /** One of the calls that the gate is asked about. */
  function callAtGate(asked: Happening, which: number): PlannedCall | undefined {
    const named = new Set((asked.params ?? []).flat());
    return chosen(
      deps.calls.filter(({ callId }) => named.has(callId)),
      which,
    );
  }

  /** Lets these processes do so many things one after the other, and no other do any. */
  async function carryOutOf(names: readonly string[], most: number): Promise<void> {
    for (let left = most; left > 0; left -= 1) {
      await settle();
      const next = found(({ process }) => names.includes(process.name));
      if (next === undefined) return;
      await engine.happen(next, smooth);
    }
  }

  /** Has the API carry out as much of an order as there is time for, and then the gate answer. */
  const orderAtGate =
    (give: (call: PlannedCall, how: number) => void): Act =>
    async (which, how) => {
      const asked = await until(atGate);
      const call = asked === undefined ? undefined : callAtGate(asked, which);
      if (asked === undefined || call === undefined) return;
      give(call, Math.floor(how / 12));
      await carryOutOf(['api'], how % 12);
      if (engine.possible().includes(asked)) await engine.happen(asked, smooth);
    };

  /** A dialer stands still so long, or until something has come about, while all others go on. */
  async function sleep(process: Process, ms: number, wakes: () => boolean = () => false): Promise<void> {
    if (process.frozenUntilMs > 0 || process.dead) return;
    process.frozenUntilMs = time.nowMs + ms;
    note(`${process.name} stands still`);
    for (let left = mostStepsAsleep; left > 0 && process.frozenUntilMs > 0; left -= 1) {
      if (wakes()) {
        process.frozenUntilMs = time.nowMs;
        await engine.passTo(time.nowMs);
      } else await engine.flow();
    }
  }

  /** Its lease has run out by the time it wakes. */
  const sleepPastLease = (process: Process, leases: number) => sleep(process, scenario.leaseSeconds * 1_000 * leases);

  const endOfMinute = (): number => Math.ceil((time.nowMs + 1) / minuteMs) * minuteMs;

  /** Goes on until an attempt stands before the gate and the minute ends in a moment. */
  async function gateBeforeMinute(): Promise<Happening | undefined> {
    const endsMs = endOfMinute();
    const near = () => time.nowMs >= endsMs - beforeMinuteMs;
    if (endsMs - time.nowMs > mostMsToMinute) return undefined;
    while (!near()) await engine.flow();
    const asked = await until((next) => atGate(next) || time.nowMs >= endsMs);
    return asked !== undefined && atGate(asked) && time.nowMs < endsMs ? asked : undefined;
  }

  return {
    async oversleep(which, how) {
      const running = chosen(dialers.running, which);
      if (running !== undefined) await sleepPastLease(running.process, 1 + (how % 50) / 100);
    },
    async lateGate(_which, how) {
      const asked = await until(atGate);
      if (asked !== undefined) {
        await engine.happen(asked, { broken: 'late', slow: false, delayMs: how % 4 === 0 ? how : Infinity });
      }
    },
    async slowGate(_which, how) {
      const asked = await until(atGate);
      if (asked === undefined) return;
      if (how % 2 === 0) await engine.passTo(time.nowMs + (how % 40) * 20);
      await engine.happen(asked, { broken: null, slow: true, delayMs: 0 });
      await engine.passTo(time.nowMs + (how % 50) * 20);
    },
    async lateOutcome(_which, how) {
      const writes = await until(({ what }) => what.startsWith(ofOutcome));
      if (writes === undefined) return;
      const { process } = writes;
      const kind = how % 4;
      if (kind === 0) await engine.happen(writes, { broken: 'before', slow: false, delayMs: 0 });
      else if (kind === 1) await engine.happen(writes, { broken: null, slow: false, delayMs: 100 + how * 3 });
      else {
        await engine.happen(writes, smooth);
        const commits = await until((next) => next.process === process && next.what === 'commit');
        const broken = kind === 2 ? 'after' : 'late';
        if (commits !== undefined) await engine.happen(commits, { broken, slow: false, delayMs: 1 + how * 4 });
      }
      // By the time at which it repeats what was lost, others may have gone on with the call.
      if (kind === 0 || kind === 2) await sleepPastLease(process, 1 + (how % 40) / 10);
    },
    async outcomeAgain() {
      const consumed = ({ params = [] }: Happening) => {
        const named = new Set(params.flat());
        return deps.legs.find(
          ({ ref, free, answeredMs, endedMs }) =>
            endedMs !== null && answeredMs === null && !free && named.has(ref.callId),
        );
      };
      const writes = await until((next) => next.what.startsWith(ofOutcome) && consumed(next) !== undefined);
      const ended = writes === undefined ? undefined : consumed(writes);
      if (writes === undefined || ended === undefined) return;
      const { process } = writes;
      await engine.happen(writes, smooth);
      const commits = await until((next) => next.process === process && next.what === 'commit');
      if (commits === undefined || process.frozenUntilMs > 0) return;
      await engine.happen(commits, { broken: 'after', slow: false, delayMs: 0 });
      const { callId, attempt } = ended.ref;
      await sleep(process, mostMsAsleep, () =>
        deps.legs.some(({ ref }) => ref.callId === callId && ref.attempt > attempt),
      );
    },
    optOutAtGate: orderAtGate(({ to }) => order(`${to} opts out`, () => operator.optOut(to))),
    async addAtEnd(which, how) {
      const finishes = await until(({ what }) => what.startsWith(ofFinish));
      if (finishes === undefined) return;
      await addRecipients(which, how);
      await carryOutOf(['api'], Math.floor(how / 12) % 16);
      if (engine.possible().includes(finishes)) await engine.happen(finishes, smooth);
    },
    skipAtGate: orderAtGate((call) => order(`skip ${call.callId.slice(-4)}`, () => operator.recipients.skip(call))),
    notBeforeAtGate: orderAtGate((call, how) => {
      const ms = time.nowMs + 1_000 + (how % 20) * 500;
      order(`${call.callId.slice(-4)} not before ${ms}`, () => operator.recipients.notBefore(call, ms));
    }),
    cancelAtGate: orderAtGate(({ batch }, how) => {
      const mode = how % 2 === 0 ? 'immediate' : 'graceful';
      if (batch !== null) order(`cancel ${batch}, ${mode}`, () => operator.cancel(batch, mode));
    }),
    windowAtGate: orderAtGate(({ batch }, how) => {
      const window = windowOf(planBy(how), turn);
      if (batch !== null) order(`${batch} calls ${windowText(window)}`, () => operator.moveWindow(batch, window));
    }),
    guardAtGate: orderAtGate((_call, how) => {
      const guarded = guardedBy(how, turn);
      order(guardrailsText(guarded), () => operator.guard(guarded));
    }),
    async windowWhileOut(which, how) {
      const sentBackLater = () => deps.legs.filter(({ free, endedMs }) => free && endedMs === null);
      for (let left = mostStepsTo; left > 0 && sentBackLater().length === 0; left -= 1) await engine.flow();
      const leg = chosen(sentBackLater(), which);
      const batch = deps.calls.find(({ callId }) => callId === leg?.ref.callId)?.batch ?? null;
      if (batch === null) return;
      const kind = how % 4;
      const window = kind === 0 ? null : windowOf((kind === 1 ? planBy : laterBy)(Math.floor(how / 12)), turn);
      order(`${batch} calls ${windowText(window)}`, () => operator.moveWindow(batch, window));
      // Of the order, and of the batch's workflow, that moves the queue.
      await carryOutOf(['api', 'worker'], how % 3 === 0 ? how % 12 : mostStepsTo);
    },
    async minuteAtGate(_which, how) {
      const asked = await gateBeforeMinute();
      if (asked === undefined) return;
      await engine.passTo(endOfMinute() + (how % 4) * 5);
      await engine.happen(asked, smooth);
    },
    async minuteAfterGate(_which, how) {
      const asked = await gateBeforeMinute();
      if (asked === undefined) return;
      const endsMs = endOfMinute();
      await engine.happen(asked, { broken: null, slow: true, delayMs: 0 });
      await engine.passTo(endsMs + (how % 4) * 5);
    },
    async nextDay(which, how) {
      const at = turns[turn] + (1 + (which % 2)) * dayMs + (chosen([-90, -60, -1, 0, 1, 60], how) ?? 0) * minuteMs;
      if (at < time.nowMs) return;
      note('hours go by');
      await engine.passTo(at - 500);
    },
  };
}
