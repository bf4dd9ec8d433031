import type { Scenario } from './behaviour.js';
import { checkAnswerOf } from './check-gateway.js';
import { chooseBehaviour } from './choose-behaviour.js';
import type { Ledger, LedgerLine } from './ledger.js';
import {
  endOfHangUp,
  eventLine,
  fencedLine,
  invited,
  type LegCourse,
  type LegEvent,
  lineOf,
  nextCourse,
  repeatedLine,
  toldOf,
} from './leg-course.js';
import { resultOfLine } from './leg-result.js';
import type { Memory } from './memory.js';
import type { Tally } from './tally.js';
import { type Step, timelineOf } from './timeline.js';
import { createTargets } from './targets.js';
import { transferCourse } from './transfer.js';
import type { Trunks } from './trunks.js';
import {
  type CheckAnswer,
  legKey,
  type CallTarget,
  type LegLine,
  type LegOrder,
  type LegRef,
  type ReconcileAnswer,
  type TargetAnswer,
  type TransferAnswer,
} from './wire.js';

type Listener = (line: LegLine) => void;

interface Leg {
  readonly order: LegOrder;
  readonly key: string;
  /** Later by as long as it was on hold. */
  invitedAtMs: number;
  readonly steps: readonly Step[];
  /** Index of the step that comes next. */
  next: number;
  timer?: NodeJS.Timeout;
  course: LegCourse;
  /** A transfer under way; told when the leg is over before its target has taken the call. */
  refer?: { readonly timer: NodeJS.Timeout; readonly tooLate: () => void };
  /** Why the trunk or the script ended it, if the ledger should say so; see `memory.ts`. */
  readonly endedFor?: string;
  /** The lines told so far, for listeners that follow later. */
  readonly told: LegLine[];
  readonly listeners: Set<Listener>;
}

export interface CarrierParts {
  readonly ledger: Ledger;
  readonly memory: Memory;
  readonly tally: Tally;
  readonly trunks: Trunks;
  readonly seed: number;
  /** Simulated seconds that pass in one real second. */
  readonly speed: number;
  readonly scenario: Scenario;
}

/**
 * The far side of the trunks: places legs, lets them ring, talk and end by their script, and answers for them. A leg
 * belongs to the carrier, not to the dialer: it goes on when its listeners are gone. What a listener gets is in the
 * ledger already.
 *
 * leg-course.ts has the states of a leg, this file its clocks and listeners. An INVITE (call, attempt, invite) is in one of
 * four states: unknown, live, over, or fenced, and only an unknown one is ever placed:
 *
 * ```
 * unknown ── dial ──▶ live ──▶ over        a second dial of a live one or one that is over: 482 and a violation
 *    └── reconcile ──▶ fenced              a dial of a fenced one: not sent
 * ```
 */
export interface Carrier {
  /** Returns the way to stop listening. */
  dial(order: LegOrder, listener: Listener): () => void;
  /** Like `dial` for a leg that exists; null if it is unknown. What was sent before is sent again. */
  follow(ref: LegRef, listener: Listener): Promise<(() => void) | null>;
  hangUp(ref: LegRef, reason: string): Promise<void>;
  /** Refers an answered leg to another number; resolves when that has taken the call or has not. */
  transfer(ref: LegRef, to: string): Promise<TransferAnswer>;
  /** Calls the target of a warm transfer while the leg waits; resolves when it has taken the call or has not. */
  callTarget(request: CallTarget): Promise<TargetAnswer>;
  hangUpTarget(transferId: string): Promise<void>;
  reconcile(ref: LegRef): Promise<ReconcileAnswer>;
  check(gatewayId: string): CheckAnswer;
  live(): number;
  /** Stops all clocks: legs stay as they are, and the next start ends them. */
  stop(): void;
}

export function createCarrier(parts: CarrierParts): Carrier {
  const { ledger, memory, tally, trunks, speed } = parts;
  const legs = new Map<string, Leg>();

  const record = (line: LedgerLine, written?: () => void): number => {
    tally.count(line);
    return ledger.append(line, written);
  };

  const targets = createTargets({ ...parts, record, keyOf: legKey });

  const tell = (leg: Leg, line: LegLine): void => {
    leg.told.push(line);
    for (const listener of leg.listeners) listener(line);
  };

  /** Moves a leg on, writes it down, and tells the listeners once that is written. */
  function happen(leg: Leg, event: LegEvent): void {
    const at = new Date().toISOString();
    const line = eventLine(leg.order, leg.course, event, at, leg.endedFor);
    leg.course = nextCourse(leg.course, event, at);
    if (event.type === 'over') {
      clearTimeout(leg.timer);
      clearTimeout(leg.refer?.timer);
      leg.next = leg.steps.length;
      legs.delete(leg.key);
      trunks.of(leg.order.gatewayId).live--;
      const offset = record(line, () => tell(leg, { type: 'over', result: resultOfLine(line, parts) }));
      memory.over.set(leg.key, offset);
      leg.refer?.tooLate();
      targets.legIsOver(leg.key);
    } else record(line, () => tell(leg, toldOf(event, at)));
  }

  function refer(leg: Leg, to: string): Promise<TransferAnswer> {
    const { afterSeconds, ...answer } = transferCourse(to, parts.seed, parts.scenario);
    record({ ...lineOf(leg.order, 'refer'), transferTo: to });
    return new Promise((resolve) => {
      const finish = (): void => {
        delete leg.refer;
        if (answer.transferred) {
          happen(leg, { type: 'over', ending: { how: 'ended', reason: 'transferred', sipStatusCode: 200 } });
        } else {
          const { sipStatusCode, message: reason } = answer;
          record({ ...lineOf(leg.order, 'refer_failed'), transferTo: to, sipStatusCode, reason });
        }
        resolve(answer);
      };
      const tooLate = (): void => resolve({ transferred: false, message: 'the call ended before it was transferred' });
      leg.refer = { timer: setTimeout(finish, (afterSeconds * 1000) / speed), tooLate };
    });
  }

  /** Takes every step that is due and sets the clock for the next one. */
  function proceed(leg: Leg): void {
    for (let step = leg.steps[leg.next]; step; step = leg.steps[leg.next]) {
      const waitMs = leg.invitedAtMs + (step.afterSeconds * 1000) / speed - performance.now();
      if (waitMs >= 1) {
        leg.timer = setTimeout(proceed, waitMs, leg);
        return;
      }
      leg.next++;
      happen(leg, targets.isJoined(leg.key) ? afterHandingOver(step) : step);
    }
  }

  /** The callee waits, whatever it would have done, until the target has taken the call or has not. */
  async function hold(leg: Leg, work: Promise<TargetAnswer>): Promise<TargetAnswer> {
    const heldAtMs = performance.now();
    clearTimeout(leg.timer);
    const answer = await work;
    leg.invitedAtMs += performance.now() - heldAtMs;
    if (!leg.course.over) proceed(leg);
    return answer;
  }

  function place(order: LegOrder, listener: Listener): Leg {
    const trunk = trunks.of(order.gatewayId);
    const broken = trunk.limitBrokenBy(performance.now(), trunks.faultsOf(order.gatewayId));
    const { behaviour, endedFor } = chooseBehaviour(order, broken, parts);
    const leg: Leg = {
      order,
      key: legKey(order),
      invitedAtMs: performance.now(),
      next: 0,
      course: invited,
      steps: timelineOf(behaviour, order),
      ...(endedFor !== undefined && { endedFor }),
      told: [],
      listeners: new Set([listener]),
    };
    legs.set(leg.key, leg);
    trunk.live++;
    if (!broken) trunk.peakLive = Math.max(trunk.peakLive, trunk.live);
    record(lineOf(order, 'invite'), () => tell(leg, { type: 'placed' }));
    if (broken) record({ ...lineOf(order, 'violation'), reason: broken });
    proceed(leg);
    return leg;
  }

  function refuse(line: LedgerLine, listener: Listener): void {
    record(line, () => listener({ type: 'over', result: resultOfLine(line, parts) }));
  }

  return {
    dial(order, listener) {
      const key = legKey(order);
      if (memory.fenced.has(key)) refuse(fencedLine(order), listener);
      else if (legs.has(key) || memory.over.has(key)) {
        record({ ...lineOf(order, 'invite'), reason: 'repeated' });
        record({ ...lineOf(order, 'violation'), reason: 'repeated' });
        refuse(repeatedLine(order), listener);
      } else {
        const leg = place(order, listener);
        return () => leg.listeners.delete(listener);
      }
      return () => undefined;
    },

    async follow(ref, listener) {
      const leg = legs.get(legKey(ref));
      if (leg) {
        for (const line of leg.told) listener(line);
        leg.listeners.add(listener);
        return () => leg.listeners.delete(listener);
      }
      const offset = memory.over.get(legKey(ref));
      if (offset === undefined) return null;
      listener({ type: 'over', result: resultOfLine(await ledger.lineAt(offset), parts) });
      return () => undefined;
    },

    async hangUp(ref, reason) {
      const leg = legs.get(legKey(ref));
      if (leg) happen(leg, { type: 'over', ending: endOfHangUp(leg.course, reason) });
      await ledger.settled();
    },

    async transfer(ref, to) {
      const leg = legs.get(legKey(ref));
      const refused = { transferred: false, sipStatusCode: 491, message: 'the call is being transferred already' };
      if (!leg?.course.answered) return { transferred: false, message: 'there is no answered call to transfer' };
      const answer = leg.refer ? refused : await refer(leg, to);
      await ledger.settled();
      return answer;
    },

    async callTarget(request) {
      const key = legKey(request);
      const leg = legs.get(key);
      const isTalking = request.cameIn === true || leg?.course.answered;
      if (!isTalking) return { transferred: false, message: 'there is no answered call to transfer' };
      const refused = { transferred: false, sipStatusCode: 491, message: 'the call is being transferred already' };
      const call = (): Promise<TargetAnswer> => targets.call(leg?.order ?? request, request);
      let answer: TargetAnswer;
      if (targets.isCalled(request.transferId)) answer = await call();
      else if (leg?.refer || targets.isHeld(key) || targets.isJoined(key)) answer = refused;
      else answer = await (leg === undefined ? call() : hold(leg, call()));
      await ledger.settled();
      return answer;
    },

    async hangUpTarget(transferId) {
      targets.hangUp(transferId);
      await ledger.settled();
    },

    async reconcile(ref) {
      const key = legKey(ref);
      if (legs.has(key)) {
        // Its INVITE may still be on its way to the ledger. An answer that a crash could contradict is not given.
        await ledger.settled();
        return { state: 'live' };
      }
      const offset = memory.over.get(key);
      if (offset !== undefined) return { state: 'over', result: resultOfLine(await ledger.lineAt(offset), parts) };
      if (!memory.fenced.has(key)) {
        memory.fenced.add(key);
        record(lineOf(ref, 'fenced'));
      }
      await ledger.settled();
      return { state: 'fenced' };
    },

    check: (gatewayId) => checkAnswerOf(trunks.faultsOf(gatewayId)),

    live: () => legs.size,

    stop() {
      targets.stop();
      for (const leg of legs.values()) {
        clearTimeout(leg.timer);
        clearTimeout(leg.refer?.timer);
      }
    },
  };
}

/** A call that was handed over ends as one: the agent is not there any more. */
const afterHandingOver = (step: Step): Step =>
  step.type === 'over' ? { ...step, ending: { ...step.ending, reason: 'transferred' } } : step;
