import { calleeIdentity } from '../../domain/call/callee-identity.js';
import { formatId } from '../../domain/ids.js';
import { legAttributes } from '../../domain/call/leg-hint.js';
import { AnswerLost, type AttemptRef, type AttemptResult, type CallEvent, ProviderUnreachable } from '../provider.js';
import { createAgentJob, createAgentWatch, hasAgent } from './agent.js';
import type { LiveKitClient, Seen } from './client.js';
import type { DialFailure } from './failure.js';
import { endOfGone, isFinal } from './left.js';
import { isOwnRoom } from './order.js';
import { createPause } from './pause.js';
import { createPresence } from './presence.js';
import type { LegRecord, LegRecords } from './records.js';
import type { EndReason } from '../../domain/call/end-reasons.js';

/** How often a leg is looked at, and how long things may take; milliseconds. */
export interface LegTiming {
  /** Between two looks at a leg that is not answered. */
  readonly pollMs: number;
  /** Between two looks at one that is, where no webhook calls for one earlier. */
  readonly truthMs: number;
  /** Between two looks while something is being waited for: an agent, the end of a leg that was hung up. */
  readonly hurryMs: number;
  /** How long a callee may wait for an agent. */
  readonly agentLimitMs: number;
  /** How long a participant must be gone that LiveKit may have back. */
  readonly goneForMs: number;
  /** How long a participant must not have come, where LiveKit says that nobody took the order. */
  readonly absentForMs: number;
  /** How long LiveKit's webhook is waited for where it alone knows whether it rang. */
  readonly hintMs: number;
}

export const defaultTiming: LegTiming = {
  ...{ pollMs: 500, truthMs: 15_000, hurryMs: 150 },
  ...{ agentLimitMs: 2_000, goneForMs: 10_000, absentForMs: 1_500, hintMs: 2_000 },
};

export interface HeldLeg {
  readonly client: LiveKitClient;
  readonly result: Promise<AttemptResult>;
  /** Hangs up, now and again until the leg is over; the first reason counts. @throws ProviderUnreachable */
  hangUp(reason: EndReason): Promise<void>;
  /** Stops watching: the leg goes on, the result rejects. */
  close(): void;
}

/** Codes whose meaning depends on whether the phone rang. */
const codesOfSilence: readonly (number | undefined)[] = [408, 480, 487, 504];
const nothing: LegRecord = { ringingAt: null, answeredAt: null, hangUpReason: null, left: null };

/**
 * Watches one leg from its INVITE, or from where a dialer that died has left it, to its end. The list of the room's
 * participants is the truth; webhooks only make it be looked at sooner, and tell how a leg ended that is gone.
 *
 * @param dialing the request that sent the INVITE; left out where another process sent it
 * @param maxCallMs how long it may last after the answer
 */
export function watchLeg(options: {
  readonly ref: AttemptRef;
  readonly client: LiveKitClient;
  readonly records: LegRecords;
  readonly timing: LegTiming;
  readonly on: (event: CallEvent) => void;
  readonly dialing?: Promise<DialFailure | null>;
  readonly maxCallMs?: number;
}): HeldLeg {
  const { ref, client, records, timing, dialing, maxCallMs = Infinity } = options;
  const identity = calleeIdentity(ref);
  const callTextId = formatId('call', ref.callId);
  const pause = createPause();
  const agentWatch = createAgentWatch(timing.agentLimitMs);
  const agentJob = createAgentJob(client, ref, dialing === undefined);
  const startedMs = Date.now();
  const presence = createPresence(
    client,
    ref.room,
    identity,
    dialing === undefined ? 0 : timing.truthMs,
    timing.truthMs,
  );

  let dial: 'pending' | 'over' | { readonly failure: DialFailure } | { readonly error: unknown } =
    dialing === undefined ? 'over' : 'pending';
  let ringingAt: Date | null = null;
  let answeredAt: Date | null = null;
  let seen = false;
  let goneAt: Date | null = null;
  let agentHere = false;
  let ending: { readonly how: 'hung_up' | 'agent_missing'; readonly reason: EndReason } | null = null;
  let removed = false;
  let closed = false;

  function ringing(at: Date): void {
    if (ringingAt !== null || answeredAt !== null) return;
    ringingAt = at;
    options.on({ type: 'ringing', at });
  }
  function answered(at: Date): void {
    if (answeredAt !== null) return;
    answeredAt = at;
    options.on({ type: 'answered', at, answeredBy: 'unknown' });
  }

  /** The database may be away: then webhooks are as good as lost. */
  const recorded = (): Promise<LegRecord> => records.of(ref).catch(() => nothing);

  async function remove(): Promise<void> {
    if (await client.remove(ref.room, identity)) removed = true;
  }

  async function hangUp(how: 'hung_up' | 'agent_missing', reason: EndReason): Promise<void> {
    ending ??= { how, reason };
    pause.hurry();
    await remove();
  }

  /** Waits for what LiveKit's webhook tells of a leg that has ended unanswered. */
  async function lastWords(): Promise<LegRecord> {
    const untilMs = Date.now() + timing.hintMs;
    for (;;) {
      const record = await recorded();
      const leftMs = untilMs - Date.now();
      if (record.left !== null || leftMs <= 0) return record;
      await pause.wait(Math.min(timing.hurryMs, leftMs));
    }
  }

  /** Makes sure that a dial of which LiveKit says that it went nowhere did: a participant is seen 150 ms after its dial. */
  async function mustNotHaveJoined(): Promise<void> {
    const untilMs = Date.now() + timing.absentForMs;
    const isThere = async () => (await client.participants(ref.room)).some((each) => each.identity === identity);
    while (Date.now() < untilMs) {
      if (seen || (await isThere().catch(() => true))) throw new AnswerLost('LiveKit SIP went while it was dialing');
      await pause.wait(timing.hurryMs);
    }
  }

  async function endOfDial({ unlessJoined, ...failure }: DialFailure): Promise<AttemptResult> {
    const at = new Date();
    if (unlessJoined === true) await mustNotHaveJoined();
    const ours =
      ending !== null && (['ring_timeout', 'cancelled'].includes(failure.how) || failure.sipStatusCode === 487);
    const depends =
      failure.how === 'refused' ? codesOfSilence.includes(failure.sipStatusCode) : failure.how === 'ring_timeout';
    if (ringingAt === null && depends && !ours && (await lastWords()).left?.callStatus === 'ringing') ringing(at);
    const rang = ringingAt !== null;
    return ours ? { how: 'cancelled', rang, at, reason: ending?.reason ?? 'cancelled' } : { ...failure, rang, at };
  }

  /** The participant is not there. @returns null while it may come back */
  async function endIfGone(): Promise<AttemptResult | null> {
    goneAt ??= new Date();
    const record = await recorded();
    if (!removed && !isFinal(record.left) && Date.now() - goneAt.getTime() < timing.goneForMs) return null;
    const endedBecause = ending?.reason ?? record.hangUpReason;
    const end = endOfGone({ ringingAt, answeredAt, endedBecause, left: record.left, goneAt });
    if (end === null && !seen) throw new AnswerLost('LiveKit knows no such leg');
    if (end === null) return { how: 'refused', rang: false, at: goneAt, reason: 'sip_code_lost' };
    if (end.how !== 'ended') return end;
    return ending?.how === 'agent_missing'
      ? { ...end, how: 'agent_missing', answeredBy: 'unknown' }
      : { ...end, answeredBy: 'unknown' };
  }

  async function mindAgent(participants: readonly Seen[]): Promise<void> {
    agentHere = hasAgent(participants, callTextId);
    const sinceMs = answeredAt === null ? null : Math.max(answeredAt.getTime(), startedMs);
    switch (agentWatch.judge(agentHere, sinceMs, Date.now())) {
      case 'dispatch':
        return agentJob.restart();
      case 'missing':
        return hangUp('agent_missing', 'agent_missing');
      case 'lost':
        return hangUp('hung_up', 'agent_lost');
      default:
    }
  }

  async function look(): Promise<AttemptResult | null> {
    const participants = await client.participants(ref.room);
    const callee = participants.find((each) => each.identity === identity);
    if (callee === undefined || (dial === 'over' && !(await presence.isReal()))) {
      return dial === 'over' ? endIfGone() : null;
    }
    [seen, goneAt] = [true, null];
    // Never backwards: LiveKit says `dialing` again of an answered call when it was restarted.
    const status = callee.attributes[legAttributes.callStatus];
    if (status === 'ringing') ringing(new Date());
    if (status === 'active' || status === 'automation') answered(new Date());
    if (ending !== null) await remove();
    else if (answeredAt !== null && Date.now() - answeredAt.getTime() >= maxCallMs)
      await hangUp('hung_up', 'max_duration');
    else if (ringingAt !== null || answeredAt !== null) {
      await agentJob.start();
      await mindAgent(participants);
    }
    return null;
  }

  function untilNextLook(): number {
    if (ending !== null) return timing.hurryMs;
    if (answeredAt === null || goneAt !== null) return timing.pollMs;
    if (!agentHere) return timing.hurryMs;
    return Math.max(0, Math.min(timing.truthMs, answeredAt.getTime() + maxCallMs - Date.now()));
  }

  async function recall(): Promise<void> {
    const record = await recorded();
    if (record.ringingAt !== null) ringing(record.ringingAt);
    if (record.answeredAt !== null) answered(record.answeredAt);
  }

  async function run(): Promise<AttemptResult> {
    if (dialing === undefined) await recall();
    for (;;) {
      if (closed) throw new AnswerLost('the provider is closed');
      if (typeof dial === 'object') {
        if ('failure' in dial) return endOfDial(dial.failure);
        throw dial.error;
      }
      let unreachable = false;
      try {
        const end = await look();
        if (end !== null) return end;
      } catch (error) {
        // Legs survive LiveKit's restarts; one that is being dialed hears of it by the dial.
        if (!(error instanceof ProviderUnreachable)) throw error;
        unreachable = true;
      }
      await pause.wait(unreachable ? timing.pollMs : untilNextLook());
    }
  }

  dialing?.then(
    (failure) => {
      dial = failure === null ? 'over' : { failure };
      if (failure === null) answered(new Date());
      pause.hurry();
    },
    (error: unknown) => {
      dial = { error };
      pause.hurry();
    },
  );
  const stopNews = records.onNews(ref.room, () => pause.hurry());
  const result = run().finally(() => {
    stopNews();
    // The end of a dynamic room is also the agent's; in a static one others may go on talking.
    if (!closed) void (isOwnRoom(ref) ? client.dropRoom(ref.room) : agentJob.drop());
  });

  return {
    client,
    result,
    hangUp: (reason) => hangUp('hung_up', reason),
    close() {
      closed = true;
      pause.hurry();
    },
  };
}
