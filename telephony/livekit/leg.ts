import { calleeIdentity } from '../../domain/call/callee-identity.js';
import { formatId } from '../../domain/ids.js';
import { AnswerLost, type AttemptRef, type AttemptResult, type CallEvent, ProviderUnreachable } from '../provider.js';
import { createAgentJob, createAgentWatch, hasAgent } from './agent.js';
import type { LiveKitClient, Seen } from './client.js';
import { isFinal } from './disconnect.js';
import type { DialFailure } from './failure.js';
import {
  isOurEnd,
  type LegEvent,
  mustKnowIfRang,
  needOf,
  newLeg,
  nextLeg,
  resultOfDial,
  resultOfGone,
  untilNextLookMs,
} from './leg-state.js';
import type { LegTiming } from './leg-timing.js';
import { isOwnRoom } from './order.js';
import { createPause } from './pause.js';
import { createPresence } from './presence.js';
import type { LegRecord, LegRecords } from './records.js';
import type { EndReason } from '../../domain/call/end-reasons.js';

export interface HeldLeg {
  readonly client: LiveKitClient;
  readonly result: Promise<AttemptResult>;
  /** Hangs up, now and again until the leg is over; the first reason counts. @throws ProviderUnreachable */
  hangUp(reason: EndReason): Promise<void>;
  /** Stops watching: the leg goes on, the result rejects. */
  close(): void;
}

const nothingStored: LegRecord = { ringingAt: null, answeredAt: null, hangUpReason: null, disconnect: null };

/**
 * Watches one leg from its INVITE, or from where a dialer that died has left it, to its end. The list of the room's
 * participants is the truth; webhooks only cause an earlier look, and tell how a leg ended that is gone.
 *
 * ```
 *             180/183             200
 *   dialing ──────────▶ ringing ──────▶ answered          each state may be skipped, none comes back
 *      │                   │               │
 *      └───────────────────┴───────────────┴──▶ over      how: below
 *
 *   the dial failed      its SIP code says how; 408, 480, 487 and 504 also by whether it rang
 *   the dial was lost    AnswerLost or ProviderUnreachable: the caller asks again what became of it
 *   participant gone     after 200 or a takeover: for good if LiveKit said so, if we removed it, or after `goneForMs`;
 *                        then by the webhook's word. One that was never there: AnswerLost
 * ```
 *
 * Beside that: `ending` is set once, by a hang-up, by the longest duration, or because no agent came; from then on every look
 * removes the participant until it is gone. While the dial is pending a missing participant means nothing: the dial's answer
 * is still to come. leg-state.ts has the transitions, this file acts on them.
 *
 * @param dialing the request that sent the INVITE; omitted if another process sent it
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
  const trustedMs = dialing === undefined ? 0 : timing.truthMs;
  const presence = createPresence(client, ref.room, identity, trustedMs, timing.truthMs);
  let leg = newLeg(dialing !== undefined);
  let closed = false;
  let removing: Promise<void> | undefined;

  /** Takes an event in, and tells the dialer if it made the leg ring or answered it. */
  function happened(event: LegEvent): void {
    const { ringingAt, answeredAt } = leg;
    leg = nextLeg(leg, event);
    if (ringingAt === null && leg.ringingAt !== null) options.on({ type: 'ringing', at: leg.ringingAt });
    if (answeredAt === null && leg.answeredAt !== null) {
      options.on({ type: 'answered', at: leg.answeredAt, answeredBy: 'unknown' });
    }
  }

  /** Without the database a leg ends as if no webhook had come. */
  const recorded = (): Promise<LegRecord> => records.of(ref).catch(() => nothingStored);

  const removal = async (): Promise<void> => {
    if (await client.remove(ref.room, identity)) happened({ type: 'removed' });
  };

  /** Asks once at a time: of two requests to remove one participant, LiveKit may answer the second never. */
  function remove(): Promise<void> {
    removing ??= removal().finally(() => (removing = undefined));
    return removing;
  }

  async function hangUp(how: 'hung_up' | 'agent_missing', reason: EndReason): Promise<void> {
    happened({ type: 'ended_by_us', ending: { how, reason } });
    pause.hurry();
    await remove();
  }

  /** Waits for LiveKit's webhook about a leg that has ended unanswered. */
  async function recordWithDisconnect(): Promise<LegRecord> {
    const untilMs = Date.now() + timing.hintMs;
    for (;;) {
      const record = await recorded();
      const leftMs = untilMs - Date.now();
      if (record.disconnect !== null || leftMs <= 0) return record;
      await pause.wait(Math.min(timing.hurryMs, leftMs));
    }
  }

  /** Makes sure that the participant never joined, if LiveKit says that a dial went nowhere: it is seen 150 ms after a dial. */
  async function mustNotHaveJoined(): Promise<void> {
    const untilMs = Date.now() + timing.absentForMs;
    const isThere = async () => (await client.participants(ref.room)).some((each) => each.identity === identity);
    while (Date.now() < untilMs) {
      if (leg.seen || (await isThere().catch(() => true))) {
        throw new AnswerLost('LiveKit SIP went away while it was dialing');
      }
      await pause.wait(timing.hurryMs);
    }
  }

  /**
   * LiveKit SIP joins before it sends the INVITE: of a callee who has been in the room, no word that nothing was sent is
   * believed, because the attempt would be dialed again.
   */
  async function mustNotHaveBeenSeen(words: string): Promise<void> {
    const { disconnect } = await recorded();
    if (leg.seen || disconnect !== null) throw new AnswerLost(`the callee was in the room, but LiveKit says: ${words}`);
  }

  async function endOfDial({ unlessJoined, ...failure }: DialFailure): Promise<AttemptResult> {
    const at = new Date();
    if (unlessJoined === true) await mustNotHaveJoined();
    if (failure.how === 'not_sent') await mustNotHaveBeenSeen(failure.words ?? 'not sent');
    const ours = isOurEnd(leg, failure);
    if (mustKnowIfRang(leg, failure)) {
      const { disconnect } = await recordWithDisconnect();
      if (disconnect?.callStatus === 'ringing') happened({ type: 'ringing', at });
    }
    return resultOfDial(leg, failure, ours, at);
  }

  /** @returns null while the participant may come back */
  async function endIfGone(): Promise<AttemptResult | null> {
    const goneAt = leg.goneAt ?? new Date();
    happened({ type: 'missing', at: goneAt });
    const record = await recorded();
    if (!leg.removed && !isFinal(record.disconnect) && Date.now() - goneAt.getTime() < timing.goneForMs) return null;
    const end = resultOfGone(leg, record, goneAt);
    if (end === null) throw new AnswerLost('LiveKit knows no such leg');
    return end;
  }

  async function lookAfterAgent(participants: readonly Seen[]): Promise<void> {
    const here = hasAgent(participants, callTextId);
    happened({ type: 'agent', here });
    const sinceMs = leg.answeredAt === null ? null : Math.max(leg.answeredAt.getTime(), startedMs);
    switch (agentWatch.judge(here, sinceMs, Date.now())) {
      case 'dispatch':
        return agentJob.restart();
      case 'missing':
        return hangUp('agent_missing', 'agent_missing');
      case 'lost':
        return hangUp('hung_up', 'agent_lost');
      default:
    }
  }

  /** @returns how the leg ended, null if it goes on */
  async function look(): Promise<AttemptResult | null> {
    const participants = await client.participants(ref.room);
    const callee = participants.find((each) => each.identity === identity);
    if (callee === undefined || (leg.dial === 'over' && !(await presence.isReal()))) {
      return leg.dial === 'over' ? endIfGone() : null;
    }
    happened({ type: 'found', attributes: callee.attributes, at: new Date() });
    switch (needOf(leg, maxCallMs, Date.now())) {
      case 'removal':
        await remove();
        break;
      case 'end_of_time':
        await hangUp('hung_up', 'max_duration');
        break;
      case 'agent':
        await agentJob.start();
        await lookAfterAgent(participants);
        break;
      case 'nothing':
    }
    return null;
  }

  /** Takes in what the process that sent the INVITE has stored. */
  async function recall(): Promise<void> {
    const { ringingAt, answeredAt } = await recorded();
    if (ringingAt !== null) happened({ type: 'ringing', at: ringingAt });
    if (answeredAt !== null) happened({ type: 'answered', at: answeredAt });
  }

  async function run(): Promise<AttemptResult> {
    if (dialing === undefined) await recall();
    for (;;) {
      if (closed) throw new AnswerLost('the provider is closed');
      if (typeof leg.dial === 'object') {
        if ('failure' in leg.dial) return endOfDial(leg.dial.failure);
        const { error } = leg.dial;
        if (error instanceof ProviderUnreachable) await mustNotHaveBeenSeen(error.message);
        throw error;
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
      await pause.wait(unreachable ? timing.pollMs : untilNextLookMs(leg, timing, maxCallMs, Date.now()));
    }
  }

  const dialEnded = (event: LegEvent): void => {
    happened(event);
    pause.hurry();
  };
  dialing?.then(
    (failure) =>
      dialEnded(failure === null ? { type: 'dial_answered', at: new Date() } : { type: 'dial_failed', failure }),
    (error: unknown) => dialEnded({ type: 'dial_lost', error }),
  );
  const stopHearing = records.onRoomEvent(ref.room, () => pause.hurry());
  // The end of a dynamic room is also the agent's; in a static one others may go on talking.
  const leave = (): void => void (isOwnRoom(ref) ? client.dropRoom(ref.room) : agentJob.drop());
  const result = run()
    .then(
      (end) => {
        leave();
        return end;
      },
      (error: unknown) => {
        // A leg whose answer was lost may ring or talk: the next question about it follows it, or hangs it up.
        if (!(error instanceof AnswerLost)) leave();
        throw error;
      },
    )
    .finally(stopHearing);

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
