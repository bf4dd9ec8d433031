import type { Scenario } from './behaviour.js';
import type { LedgerLine } from './ledger.js';
import { lineOf } from './leg-course.js';
import { targetCourse } from './transfer.js';
import type { Trunks } from './trunks.js';
import { limitRefusal } from './trunk.js';
import type { CallTarget, LegRef, TargetAnswer } from './wire.js';

interface Target {
  readonly request: CallTarget;
  readonly order: LegRef;
  timer?: NodeJS.Timeout;
  joined: boolean;
  answeredAt?: string;
  /** Tells whoever called it, once. */
  readonly answer: (answer: TargetAnswer) => void;
}

/**
 * The telephones that warm transfers call: each rings, hears what the simulated agent says of the call, and takes it or not. One
 * that has taken it stays until the call is over.
 */
export interface Targets {
  /**
   * Calls a target; resolves when it has taken the call or has not. A second call of one transfer is a violation, and refused.
   *
   * @param order of the leg that is handed over
   */
  call(order: LegRef, request: CallTarget): Promise<TargetAnswer>;
  /** Whether a target was called for the transfer already. */
  isCalled(transferId: string): boolean;
  /** Whether the leg waits for a target. */
  isHeld(key: string): boolean;
  /** Whether the leg has been handed over. */
  isJoined(key: string): boolean;
  /** Hangs up what the transfer has called; nothing happens if there is nothing. */
  hangUp(transferId: string): void;
  /** The leg is over: its target is hung up. */
  legIsOver(key: string): void;
  stop(): void;
}

const tooLate: TargetAnswer = { transferred: false, message: 'the call ended before it was transferred' };

/** @param keyOf names the leg of an order */
export function createTargets(parts: {
  readonly record: (line: LedgerLine) => void;
  readonly trunks: Trunks;
  readonly keyOf: (order: LegRef) => string;
  readonly seed: number;
  readonly speed: number;
  readonly scenario: Scenario;
}): Targets {
  const { record, trunks, speed } = parts;
  const live = new Map<string, Target>();
  const called = new Set<string>();
  const ofLeg = (key: string): Target[] => [...live.values()].filter(({ order }) => parts.keyOf(order) === key);

  const write = (
    target: Pick<Target, 'order' | 'request'>,
    event: LedgerLine['event'],
    more: Partial<LedgerLine> = {},
  ) =>
    record({
      ...lineOf(target.order, event),
      to: target.request.transferTo,
      transferId: target.request.transferId,
      ...more,
    });

  const timesOf = ({ answeredAt, joined }: Target): Pick<TargetAnswer, 'answeredAt' | 'leftAt'> =>
    answeredAt === undefined ? {} : { answeredAt, ...(joined ? {} : { leftAt: new Date().toISOString() }) };

  function end(target: Target, answer: TargetAnswer): void {
    if (!live.delete(target.request.transferId)) return;
    clearTimeout(target.timer);
    trunks.of(target.order.gatewayId).live--;
    const { sipStatusCode, message: reason } = answer;
    write(target, 'target_ended', { ...(sipStatusCode === undefined ? {} : { sipStatusCode }), reason });
    target.answer({ ...answer, ...timesOf(target) });
  }

  function later(target: Target, afterSeconds: number, what: () => void): void {
    target.timer = setTimeout(what, (afterSeconds * 1000) / speed);
  }

  return {
    call(order, request) {
      const { transferId, transferTo, ringTimeoutSeconds } = request;
      if (called.has(transferId)) {
        write({ order, request }, 'target_invite', { reason: 'repeated' });
        write({ order, request }, 'violation', { reason: 'repeated' });
        return Promise.resolve({ transferred: false, sipStatusCode: 482, message: 'Request Merged' });
      }
      called.add(transferId);
      const trunk = trunks.of(order.gatewayId);
      const broken = trunk.limitBrokenBy(performance.now(), trunks.faultsOf(order.gatewayId));
      write({ order, request }, 'target_invite');
      if (broken !== null) {
        write({ order, request }, 'violation', { reason: broken });
        const { sipStatusCode, sipPhrase: message } = limitRefusal[broken];
        write({ order, request }, 'target_ended', { sipStatusCode, reason: message });
        return Promise.resolve({ transferred: false, sipStatusCode, message });
      }
      trunk.live++;
      trunk.peakLive = Math.max(trunk.peakLive, trunk.live);
      const course = targetCourse(transferTo, ringTimeoutSeconds, parts.seed, parts.scenario);
      return new Promise((resolve) => {
        const target: Target = { request, order, joined: false, answer: resolve };
        live.set(transferId, target);
        const decide = (): void => {
          if (!course.answer.transferred) {
            end(target, course.answer);
            return;
          }
          target.joined = true;
          write(target, 'target_joined');
          resolve({ ...course.answer, ...timesOf(target) });
        };
        later(target, course.afterSeconds, () => {
          if (course.talkSeconds === null) {
            decide();
            return;
          }
          target.answeredAt = new Date().toISOString();
          write(target, 'target_answered', { sipStatusCode: 200, answeredBy: course.answeredBy });
          later(target, course.talkSeconds, decide);
        });
      });
    },
    isCalled: (transferId) => called.has(transferId),
    isHeld: (key) => ofLeg(key).some(({ joined }) => !joined),
    isJoined: (key) => ofLeg(key).some(({ joined }) => joined),
    hangUp(transferId) {
      const target = live.get(transferId);
      if (target !== undefined) end(target, tooLate);
    },
    legIsOver(key) {
      for (const target of ofLeg(key)) end(target, tooLate);
    },
    stop() {
      for (const { timer } of live.values()) clearTimeout(timer);
    },
  };
}
