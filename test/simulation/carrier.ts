import type { EndReason } from '../../domain/call/end-reasons.js';
import type { DialOrder, AttemptRef, AttemptResult, CallEvent, CallProvider } from '../../telephony/provider.js';
import { AnswerLost, ProviderUnreachable } from '../../telephony/provider.js';
import type { Course, Happenings } from './happenings.js';
import type { Process, VirtualTime } from './time.js';

/** What becomes of one order to dial. */
export type Script =
  | { readonly kind: 'answered'; readonly ringMs: number; readonly talkMs: number }
  | { readonly kind: 'busy'; readonly ringMs: number }
  | { readonly kind: 'unanswered'; readonly ringMs: number }
  /** Refused in a way that costs no attempt. */
  | { readonly kind: 'throttled'; readonly ringMs: number }
  /** The trunk is at fault: several of these suspend the gateway. Costs no attempt. */
  | { readonly kind: 'fault'; readonly ringMs: number }
  /** The provider cannot be reached: nothing is sent. */
  | { readonly kind: 'unreachable' }
  /** The connection to the provider breaks; the INVITE went out, or it did not. */
  | { readonly kind: 'answer_lost'; readonly placed: boolean; readonly talkMs: number };

/** One INVITE, from when it was sent until its leg was over. */
export interface CarrierLeg {
  readonly ref: AttemptRef;
  readonly to: string;
  /** The number that it was made from. */
  readonly from: string;
  readonly process: Process;
  readonly placedMs: number;
  /** The carrier refuses it in a way that lets the same attempt be sent again. */
  readonly free: boolean;
  answeredMs: number | null;
  endedMs: number | null;
}

export interface Carrier {
  readonly legs: readonly CarrierLeg[];
  /** The carrier as one process reaches it. */
  providerFor(process: Process): CallProvider;
}

interface Following {
  readonly process: Process;
  readonly on: (event: CallEvent) => void;
  readonly over: (result: AttemptResult) => void;
  readonly lost: (error: Error) => void;
}

interface Kept extends CarrierLeg {
  result: AttemptResult | null;
  rangMs: number | null;
  following: Following[];
}

export const refText = (ref: Pick<AttemptRef, 'callId' | 'attempt' | 'invite'>): string =>
  `${ref.callId}/${ref.attempt}/${ref.invite}`;

/**
 * A carrier that does what its scripts say and never forgets what it was sent. The judge is told of each INVITE in the
 * moment in which it is sent.
 *
 * @param fences whether it can promise to refuse an INVITE from now on, as the simulator does and LiveKit does not
 */
export function createCarrier(deps: {
  readonly time: VirtualTime;
  readonly happenings: Happenings;
  readonly fences: boolean;
  readonly scriptFor: (order: DialOrder) => Script;
  readonly invited: (leg: CarrierLeg) => void;
  /** What a process looks up before it says that a call is ready, as the driver of LiveKit does. */
  readonly prepare: (order: DialOrder, process: Process) => Promise<void>;
}): Carrier {
  const { time, happenings } = deps;
  const self: Process = { name: 'carrier', skewMs: 0, frozenUntilMs: 0, dead: false };
  const legs: Kept[] = [];
  const byRef = new Map<string, Kept>();
  const fenced = new Set<string>();
  const instant = () => new Date(time.nowMs);

  function tell(process: Process, what: string, news: () => void): void {
    happenings.add({ process, what, atProcess: true, run: news });
  }

  function end(leg: Kept, result: AttemptResult): void {
    if (leg.result !== null) return;
    leg.result = result;
    leg.endedMs = time.nowMs;
    for (const { process, over } of leg.following) tell(process, 'the end of a leg', () => over(result));
  }

  function each(leg: Kept, event: CallEvent): void {
    for (const { process, on } of leg.following) tell(process, event.type, () => on(event));
  }

  function later(ms: number, leg: Kept, what: () => void): void {
    time.at(self, time.nowMs + Math.max(1, ms), () => {
      if (leg.result === null) what();
    });
  }

  function ring(leg: Kept): void {
    leg.rangMs = time.nowMs;
    each(leg, { type: 'ringing', at: instant() });
  }

  function act(leg: Kept, script: Exclude<Script, { kind: 'unreachable' }>): void {
    const refused = (sipStatusCode: number, sipPhrase: string) =>
      end(leg, { how: 'refused', rang: leg.rangMs !== null, sipStatusCode, sipPhrase, at: instant() });
    if (script.kind === 'throttled') {
      later(script.ringMs, leg, () => refused(503, 'Trunk CPS limit exceeded'));
      return;
    }
    if (script.kind === 'fault') {
      later(script.ringMs, leg, () => end(leg, { how: 'gateway_fault', rang: false, words: 'down', at: instant() }));
      return;
    }
    const ringMs = script.kind === 'answer_lost' ? 500 : script.ringMs;
    later(ringMs / 2, leg, () => ring(leg));
    if (script.kind === 'busy') later(ringMs, leg, () => refused(486, 'Busy here'));
    else if (script.kind === 'unanswered') {
      later(ringMs, leg, () => end(leg, { how: 'ring_timeout', rang: true, at: instant() }));
    } else {
      later(ringMs, leg, () => {
        leg.answeredMs = time.nowMs;
        each(leg, { type: 'answered', at: instant(), answeredBy: 'human' });
      });
      later(ringMs + script.talkMs, leg, () => end(leg, ended(leg, 'callee_hung_up')));
    }
  }

  const ended = (leg: Kept, reason: EndReason): AttemptResult => ({
    ...{ how: 'ended', rang: leg.rangMs !== null, reason, at: instant(), answeredBy: 'human' },
    answeredAt: new Date(leg.answeredMs ?? time.nowMs),
  });

  function place(order: DialOrder, process: Process, script: Exclude<Script, { kind: 'unreachable' }>): Kept {
    const { callId, attempt, invite, gatewayId, room } = order;
    const leg: Kept = {
      ...{
        ref: { callId, attempt, invite, gatewayId, room },
        to: order.to,
        from: order.from,
        process,
        placedMs: time.nowMs,
      },
      ...{
        free: script.kind === 'throttled' || script.kind === 'fault',
        answeredMs: null,
        endedMs: null,
        result: null,
        rangMs: null,
        following: [],
      },
    };
    legs.push(leg);
    byRef.set(refText(order), leg);
    deps.invited(leg);
    act(leg, script);
    return leg;
  }

  function followed(leg: Kept, process: Process, on: (event: CallEvent) => void): Promise<AttemptResult> {
    return new Promise((over, lost) => {
      leg.following.push({ process, on, over, lost });
      const { result, rangMs, answeredMs } = leg;
      if (rangMs !== null) tell(process, 'ringing', () => on({ type: 'ringing', at: new Date(rangMs) }));
      if (answeredMs !== null)
        tell(process, 'answered', () => on({ type: 'answered', at: new Date(answeredMs), answeredBy: 'human' }));
      if (result !== null) tell(process, 'the end of a leg', () => over(result));
    });
  }

  /** A question that the provider answers in its own time. */
  function asked<T>(process: Process, what: string, answer: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = ({ broken, slow }: Course) => {
        if (broken === 'before' || broken === 'late') {
          tell(process, what, () => reject(new ProviderUnreachable('the carrier cannot be asked')));
          return;
        }
        const said = answer();
        const reach =
          broken === 'after'
            ? () => reject(new ProviderUnreachable('the carrier has not answered'))
            : () => resolve(said);
        if (slow || process.frozenUntilMs > 0) tell(process, `answer to ${what}`, reach);
        else reach();
      };
      happenings.add({ process, what, atProcess: false, run });
    });
  }

  return {
    legs,
    providerFor: (process) => ({
      simulated: true,
      async prepare(order) {
        await deps.prepare(order, process);
        await asked(process, 'prepare', () => undefined);
      },
      letGo(ref) {
        const leg = byRef.get(refText(ref));
        if (leg === undefined) return;
        const own = leg.following.filter((following) => following.process === process);
        leg.following = leg.following.filter((following) => following.process !== process);
        for (const { lost } of own) lost(new AnswerLost('let go'));
      },
      dial(order, on) {
        if (fenced.has(refText(order))) {
          return Promise.resolve({ how: 'not_sent', rang: false, at: instant(), words: 'refused' });
        }
        const script = deps.scriptFor(order);
        if (script.kind === 'unreachable') {
          return asked(process, 'dial', () => undefined).then(() => {
            throw new ProviderUnreachable('the carrier cannot be reached');
          });
        }
        if (script.kind !== 'answer_lost') return followed(place(order, process, script), process, on);
        if (script.placed) place(order, process, script);
        // Whatever happens to the answer, it may have left: nothing here may say that it has not.
        const lost = (): never => {
          throw new AnswerLost('the connection to the carrier broke');
        };
        return asked(process, 'dial', () => undefined).then(lost, lost);
      },
      hangUp: (ref, reason) =>
        asked(process, 'hang up', () => {
          const leg = byRef.get(refText(ref));
          if (leg === undefined) return;
          if (leg.answeredMs !== null) end(leg, ended(leg, reason));
          else end(leg, { how: 'cancelled', rang: leg.rangMs !== null, reason, at: instant() });
        }),
      askToHold: () => Promise.resolve(true),
      prepareTarget: () => Promise.resolve(),
      callTarget: () => Promise.resolve({ transferred: false, message: 'the carrier transfers nothing' }),
      hangUpTarget: () => Promise.resolve(),
      transfer: () => Promise.resolve({ transferred: false, message: 'the carrier transfers nothing' }),
      reconcile: (ref) =>
        asked(process, 'reconcile', () => {
          const leg = byRef.get(refText(ref));
          if (leg !== undefined) return leg.result ?? 'live';
          if (!deps.fences) return 'absent';
          fenced.add(refText(ref));
          return 'fenced';
        }),
      follow(ref, on) {
        const leg = byRef.get(refText(ref));
        return leg === undefined ? Promise.reject(new AnswerLost('no such leg')) : followed(leg, process, on);
      },
      checkGateway: () => Promise.resolve({ reachable: true, message: 'yes' }),
      close: () => Promise.resolve(),
    }),
  };
}
