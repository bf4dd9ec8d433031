import type { Course } from './happenings.js';
import { numberCount, type Move, type MoveKind } from './scenario.js';
import { aimedMoves } from './aimed-moves.js';
import { windowOf } from './hours.js';
import { guardedBy, guardrailsText, planBy, windowText } from './orders.js';
import { chosen, type Act, type MovesDeps } from './move.js';
import { gatewayId, numberAt } from './setting.js';

export interface Moves {
  carryOut(move: Move): Promise<void>;
}

/**
 * Of 25 things that are sent, one is lost before it arrives, of one the answer is lost, one arrives late, when its process
 * has given it up, and one while its process still waits.
 */
const breaks: readonly Course['broken'][] = [null, 'before', 'after', 'late', null];
const delayed = [3, 4];
/** How something on the wire goes: mostly at once, and seldom so late that a lease runs out. */
function courseOf(how: number): Course {
  const kind = how % 25;
  const delayMs = delayed.includes(kind) ? 5 * Math.floor(how / 25) ** 2 : 0;
  return { broken: breaks[kind] ?? null, slow: how % 4 === 3, delayMs };
}

/**
 * What each move of a scenario does.
 *
 * @param order has the API carry out an order, and notes how it went
 */
export function createMoves(deps: MovesDeps): Moves {
  const { scenario, time, engine, dialers, operator, order, note } = deps;
  const batchAt = (which: number): string => chosen(deps.batches, which) ?? '';
  const dialerAt = (which: number) => chosen(dialers.running, which);

  const ofTime: Partial<Record<MoveKind, Act>> = {
    async step(which, how) {
      const next = chosen(engine.possible(), which);
      if (next === undefined) return engine.flow();
      await engine.happen(next, courseOf(how));
    },
    async flow(_which, how) {
      for (let left = 1 + (how % 60); left > 0; left -= 1) await engine.flow();
    },
    wait: (_which, how) =>
      engine.passTo(engine.possible().length > 0 ? time.nowMs + 1 + (how % 30) : (engine.nextInstant() ?? time.nowMs)),
    lapse: (_which, how) => engine.passTo(time.nowMs + 50 + (how % 100) * 40),
  };

  const ofDialers: Partial<Record<MoveKind, Act>> = {
    freeze(which, how) {
      const running = dialerAt(which);
      if (running === undefined || running.process.frozenUntilMs > 0) return;
      running.process.frozenUntilMs = time.nowMs + 200 + (how % 100) * scenario.leaseSeconds * 20;
      note(`${running.process.name} stands still`);
    },
    kill(which) {
      const running = dialerAt(which);
      if (running === undefined) return;
      note(`${running.process.name} is killed`);
      return dialers.kill(running);
    },
    stopDialer(which) {
      const running = dialerAt(which);
      if (running === undefined) return;
      note(`${running.process.name} is told to stop`);
      dialers.stop(running);
    },
    startDialer(_which, how) {
      if (dialers.running.length < 4) dialers.start(chosen(scenario.skewsMs, how) ?? 0);
    },
  };

  const ofBatches: Partial<Record<MoveKind, Act>> = {
    pause: (which) => order(`pause ${batchAt(which)}`, () => operator.pause(batchAt(which))),
    resume: (which) => order(`resume ${batchAt(which)}`, () => operator.resume(batchAt(which))),
    cancel: (which, how) =>
      order(`cancel ${batchAt(which)}`, () =>
        operator.cancel(batchAt(which), how % 2 === 0 ? 'graceful' : 'immediate'),
      ),
    moveWindow(which, how) {
      const window = windowOf(planBy(how), scenario.setting.begins.turn);
      order(`${batchAt(which)} calls ${windowText(window)}`, () => operator.moveWindow(batchAt(which), window));
    },
    limitBatch(which, how) {
      const most = how % 4 === 0 ? null : how % 4;
      order(`${batchAt(which)} may have ${most ?? 'any number of'} calls at once`, () =>
        operator.limitBatch(batchAt(which), most),
      );
    },
    endCall(which) {
      const callId = chosen(deps.calls, which)?.callId ?? '';
      order(`end call ${callId.slice(-4)}`, () => operator.endCall(callId));
    },
  };

  const ofAccount: Partial<Record<MoveKind, Act>> = {
    optOut(which) {
      const e164 = numberAt(which % numberCount);
      order(`${e164} opts out`, () => operator.optOut(e164));
    },
    optIn(which) {
      const e164 = numberAt(which % numberCount);
      order(`${e164} may be called again`, () => operator.optIn(e164));
    },
    stop: (_which, how) => order('stop dialing', () => operator.stop(how % 2 === 0)),
    goOn: () => order('resume dialing', () => operator.goOn()),
    suspend: (_which, how) => order('suspend the account', () => operator.suspend(how % 2 === 0)),
    unsuspend: () => order('end the suspension', () => operator.unsuspend()),
    guard(_which, how) {
      const guarded = guardedBy(how, scenario.setting.begins.turn);
      order(guardrailsText(guarded), () => operator.guard(guarded));
    },
    limitGateway(which, how) {
      const gateway = gatewayId(which % scenario.setting.gateways.length);
      const rate = chosen([0.5, 1, 2, 5, 20], how) ?? 1;
      const live = 1 + (which % 6);
      const reserved = how % live;
      order(`${gateway} takes ${rate} calls a second, ${live} at once, ${reserved} of them not of batches`, () =>
        operator.limitGateway(gateway, { callsPerSecond: rate, maxConcurrentCalls: live, reservedCalls: reserved }),
      );
    },
    limitNumber(which, how) {
      const number = chosen(deps.numbers, which);
      if (number === undefined) return;
      const limits = {
        maxCallsPerDay: how % 3 === 0 ? null : 1 + (how % 7),
        minSecondsBetweenCalls: how % 5 < 3 ? null : 1 + (how % 4),
      };
      order(`${number.e164} has the limits ${JSON.stringify(limits)}`, () => operator.limitNumber(number, limits));
    },
    agents(which) {
      if (scenario.setting.agents === null) return;
      const slots = 1 + (which % 5);
      order(`agents take ${slots} calls`, () => operator.agents(slots));
    },
  };

  const added: { readonly batch: string; readonly callees: readonly number[]; readonly notBeforeMs: number | null }[] =
    [];
  const inMs = (how: number): number | null => (how % 3 === 0 ? null : time.nowMs + (how % 20) * 700);
  /** @returns its place among the requests to add recipients */
  function newRequest(which: number, how: number): number {
    const callees = Array.from({ length: 1 + (how % 4) }, (_, place) => (which + 5 * place) % numberCount);
    return added.push({ batch: batchAt(which), callees, notBeforeMs: inMs(how) }) - 1;
  }
  function add(place: number): void {
    const { batch, callees, notBeforeMs } = added[place] ?? { batch: '', callees: [], notBeforeMs: null };
    if (batch === '') return;
    order(`add ${callees.length} to ${batch} as r${place}`, () =>
      operator.recipients.add(batch, `r${place}`, callees, notBeforeMs),
    );
  }
  /** Of a call that the carrier was sent, or of any. */
  const callAt = (which: number) => chosen(deps.calls, which);
  const ofRecipients: Partial<Record<MoveKind, Act>> = {
    addRecipients: (which, how) => add(newRequest(which, how)),
    addTwice(which, how) {
      const place = newRequest(which, how);
      add(place);
      add(place);
    },
    addAgain: (which) => add(which % Math.max(1, added.length)),
    skip(which) {
      const call = callAt(which);
      if (call !== undefined) order(`skip ${call.callId.slice(-4)}`, () => operator.recipients.skip(call));
    },
    notBefore(which, how) {
      const call = callAt(which);
      const ms = inMs(how);
      if (call === undefined) return;
      order(`${call.callId.slice(-4)} not before ${ms ?? 'any time'}`, () => operator.recipients.notBefore(call, ms));
    },
    callAgain(which) {
      const dialed = new Set(deps.legs.filter(({ endedMs }) => endedMs !== null).map(({ ref }) => ref.callId));
      const call = chosen(
        deps.calls.filter(({ callId }) => dialed.has(callId)),
        which,
      );
      if (call !== undefined) order(`call ${call.callId.slice(-4)} again`, () => operator.recipients.callAgain(call));
    },
    close: (which) => order(`close ${batchAt(which)}`, () => operator.recipients.close(batchAt(which))),
    open: (which) => order(`open ${batchAt(which)}`, () => operator.recipients.open(batchAt(which))),
  };

  const acts: Partial<Record<MoveKind, Act>> = {
    ...ofRecipients,
    ...ofTime,
    ...ofDialers,
    ...ofBatches,
    ...ofAccount,
    ...aimedMoves(deps, (which, how) => add(newRequest(which, how))),
  };
  return {
    async carryOut({ kind, which, how }) {
      const act = acts[kind];
      if (act === undefined) throw new Error(`nothing is known of the move ${kind}`);
      await act(which, how);
    },
  };
}
