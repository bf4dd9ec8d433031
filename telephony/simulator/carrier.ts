import type { AnsweredBy } from '../../domain/call/call.js';
import type { Scenario } from './behaviour.js';
import { chooseBehaviour } from './choose-behaviour.js';
import { transcriptOf } from './dialogue.js';
import type { Ledger, LedgerLine } from './ledger.js';
import type { Memory } from './memory.js';
import type { Tally } from './tally.js';
import { type Ending, type Step, timelineOf } from './timeline.js';
import { transferCourse } from './transfer.js';
import type { Trunks } from './trunks.js';
import {
  type CheckAnswer,
  legKey,
  type LegLine,
  type LegOrder,
  type LegRef,
  LegResult,
  type ReconcileAnswer,
  type TransferAnswer,
} from './wire.js';

type Listener = (line: LegLine) => void;

interface Leg {
  readonly order: LegOrder;
  readonly key: string;
  readonly invitedAtMs: number;
  readonly steps: readonly Step[];
  next: number;
  timer?: NodeJS.Timeout;
  rang: boolean;
  answered?: { readonly at: string; readonly by: AnsweredBy };
  /** A transfer under way; told when the leg is over before its target has taken the call. */
  refer?: { readonly timer: NodeJS.Timeout; readonly tooLate: () => void };
  /** Why the trunk or the script ended it, where the ledger should tell; see `memory.ts`. */
  readonly endedFor?: string;
  /** What was told already, for those who follow later. */
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
 * belongs to the carrier, not to who dialed it: it goes on when its listeners are gone. Whatever a listener is told
 * stands in the ledger already.
 */
export interface Carrier {
  /** Returns the way to stop listening. */
  dial(order: LegOrder, listener: Listener): () => void;
  /** Like `dial` for a leg that exists; null where it is unknown. What was told before is told again. */
  follow(ref: LegRef, listener: Listener): Promise<(() => void) | null>;
  hangUp(ref: LegRef, reason: string): Promise<void>;
  /** Refers an answered leg to another number; resolves when that has taken the call or has not. */
  transfer(ref: LegRef, to: string): Promise<TransferAnswer>;
  reconcile(ref: LegRef): Promise<ReconcileAnswer>;
  check(gatewayId: string): CheckAnswer;
  live(): number;
  /** Stops all clocks: legs freeze as they are, for a next start to end. */
  stop(): void;
}

export function createCarrier(parts: CarrierParts): Carrier {
  const { ledger, memory, tally, trunks, speed } = parts;
  const legs = new Map<string, Leg>();

  const record = (line: LedgerLine, written?: () => void): number => {
    tally.count(line);
    return ledger.append(line, written);
  };

  const tell = (leg: Leg, line: LegLine): void => {
    leg.told.push(line);
    for (const listener of leg.listeners) listener(line);
  };

  /** How a leg ended, from its last line in the ledger: the same for those who listened and those who ask later. */
  function resultOf(line: LedgerLine): LegResult {
    const { at, to = '', attempt = 1, answeredAt, answeredBy, disclosure = null } = line;
    if (line.how !== 'ended' || answeredAt === undefined || answeredBy === undefined) return LegResult.parse(line);
    const talk = { answeredBy, answeredAtMs: Date.parse(answeredAt), endedAtMs: Date.parse(at) };
    const transcript = transcriptOf({ ...talk, seed: parts.seed, to, attempt, speed, disclosure });
    return LegResult.parse({ ...line, transcript });
  }

  function end(leg: Leg, ending: Ending): void {
    clearTimeout(leg.timer);
    clearTimeout(leg.refer?.timer);
    leg.next = leg.steps.length;
    legs.delete(leg.key);
    trunks.of(leg.order.gatewayId).live--;
    const reason = leg.endedFor ?? ending.reason;
    const line: LedgerLine = {
      ...lineOf(leg.order, ending.how === 'refused' || ending.how === 'gateway_fault' ? 'rejected' : 'ended'),
      ...ending,
      rang: leg.rang,
      ...(reason !== undefined && { reason }),
      ...(leg.answered && { answeredAt: leg.answered.at, answeredBy: leg.answered.by }),
    };
    const offset = record(line, () => tell(leg, { type: 'over', result: resultOf(line) }));
    memory.over.set(leg.key, offset);
    leg.refer?.tooLate();
  }

  function refer(leg: Leg, to: string): Promise<TransferAnswer> {
    const { afterSeconds, ...answer } = transferCourse(to, parts.seed, parts.scenario);
    record({ ...lineOf(leg.order, 'refer'), transferTo: to });
    return new Promise((resolve) => {
      const finish = (): void => {
        delete leg.refer;
        if (answer.transferred) end(leg, { how: 'ended', reason: 'transferred', sipStatusCode: 200 });
        else {
          const { sipStatusCode, message: reason } = answer;
          record({ ...lineOf(leg.order, 'refer_failed'), transferTo: to, sipStatusCode, reason });
        }
        resolve(answer);
      };
      const tooLate = (): void => resolve({ transferred: false, message: 'the call ended before it was transferred' });
      leg.refer = { timer: setTimeout(finish, (afterSeconds * 1000) / speed), tooLate };
    });
  }

  function take(leg: Leg, step: Step): void {
    if (step.type === 'over') {
      end(leg, step.ending);
      return;
    }
    const line = lineOf(leg.order, step.type);
    if (step.type === 'ringing') {
      leg.rang = true;
      record({ ...line, sipStatusCode: 180 }, () => tell(leg, { type: 'ringing', at: line.at }));
    } else {
      const { answeredBy } = step;
      leg.answered = { at: line.at, by: answeredBy };
      record({ ...line, sipStatusCode: 200, answeredBy }, () =>
        tell(leg, { type: 'answered', at: line.at, answeredBy }),
      );
    }
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
      take(leg, step);
    }
  }

  function place(order: LegOrder, listener: Listener): Leg {
    const trunk = trunks.of(order.gatewayId);
    const broken = trunk.limitBrokenBy(performance.now(), trunks.faultsOf(order.gatewayId));
    const { behaviour, endedFor } = chooseBehaviour(order, broken, parts);
    const leg: Leg = {
      ...{ order, key: legKey(order), invitedAtMs: performance.now(), next: 0, rang: false },
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

  /** A second INVITE for one reference: in the world it would ring the callee twice, so it is never passed over. */
  function refuseRepeated(order: LegOrder, listener: Listener): void {
    const reason = 'repeated';
    const rejected = { ...lineOf(order, 'rejected'), how: 'refused', rang: false, reason };
    const line: LedgerLine = { ...rejected, sipStatusCode: 482, sipPhrase: 'Request Merged' };
    record({ ...lineOf(order, 'invite'), reason });
    record({ ...lineOf(order, 'violation'), reason });
    record(line, () => listener({ type: 'over', result: resultOf(line) }));
  }

  function refuseFenced(order: LegOrder, listener: Listener): void {
    const line: LedgerLine = { ...lineOf(order, 'refused'), reason: 'fenced', how: 'not_sent', rang: false };
    record(line, () => listener({ type: 'over', result: resultOf(line) }));
  }

  return {
    dial(order, listener) {
      const key = legKey(order);
      if (memory.fenced.has(key)) refuseFenced(order, listener);
      else if (legs.has(key) || memory.over.has(key)) refuseRepeated(order, listener);
      else {
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
      listener({ type: 'over', result: resultOf(await ledger.lineAt(offset)) });
      return () => undefined;
    },

    async hangUp(ref, reason) {
      const leg = legs.get(legKey(ref));
      if (leg?.answered) end(leg, { how: 'ended', reason, sipStatusCode: 200 });
      else if (leg) end(leg, { how: 'cancelled', reason, sipStatusCode: 487 });
      await ledger.settled();
    },

    async transfer(ref, to) {
      const leg = legs.get(legKey(ref));
      const refused = { transferred: false, sipStatusCode: 491, message: 'the call is being transferred already' };
      if (!leg?.answered) return { transferred: false, message: 'there is no answered call to transfer' };
      const answer = leg.refer ? refused : await refer(leg, to);
      await ledger.settled();
      return answer;
    },

    async reconcile(ref) {
      const key = legKey(ref);
      if (legs.has(key)) return { state: 'live' };
      const offset = memory.over.get(key);
      if (offset !== undefined) return { state: 'over', result: resultOf(await ledger.lineAt(offset)) };
      if (!memory.fenced.has(key)) {
        memory.fenced.add(key);
        record(lineOf(ref, 'fenced'));
      }
      await ledger.settled();
      return { state: 'fenced' };
    },

    check(gatewayId) {
      const { silence, refuseConnection, refuseCredentials } = trunks.faultsOf(gatewayId);
      if (refuseConnection) return { reachable: false, message: 'connection refused' };
      if (silence) return { reachable: false, message: 'no response to OPTIONS' };
      if (refuseCredentials) {
        return { reachable: true, statusCode: 403, milliseconds: 1, message: 'credentials refused' };
      }
      return { reachable: true, statusCode: 200, milliseconds: 1, message: 'the simulated carrier answers' };
    },

    live: () => legs.size,

    stop() {
      for (const leg of legs.values()) {
        clearTimeout(leg.timer);
        clearTimeout(leg.refer?.timer);
      }
    },
  };
}

const lineOf = (order: LegRef | LegOrder, event: LedgerLine['event']): LedgerLine => ({
  at: new Date().toISOString(),
  event,
  ...('to' in order && { to: order.to, from: order.from }),
  ...('disclosure' in order && { disclosure: order.disclosure }),
  room: order.room,
  callId: order.callId,
  attempt: order.attempt,
  invite: order.invite,
  gatewayId: order.gatewayId,
  simulated: true,
});
