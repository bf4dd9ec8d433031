import { type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';
import type { VAD } from '@livekit/agents';
import type { Db } from '../../db/client.js';
import type { AgentLeg } from '../../db/queries/calls/conversation.js';
import { warmTransferOf } from '../../db/queries/calls/warm-transfers.js';
import { noteHeld, noteTargetLeft, settleWarmTransfer } from '../../db/queries/dialer/warm-transfers.js';
import { holdTopic, targetRoom } from '../../domain/call/warm-transfer.js';
import type { LanguagePlan, SessionPlan } from '../../domain/session-plan/types.js';
import type { LiveKitSetting } from '../../platform/livekit.js';
import type { Logger } from '../../platform/logger.js';
import type { ModelAccess } from '../models/models.js';
import type { CallControl } from './call-control.js';
import { consult, enterTargetRoom, type Said, type TargetPlace, type Verdict } from './consultation.js';
import { joinTwo } from './relay.js';

/** Hands a call over by speaking with the target first. One at a time; the database says which. */
export interface HandOver {
  /** A transfer is under way or has happened: the agent does not speak with the callee. */
  readonly isAway: boolean;
  /**
   * Carries out the transfer that is wanted for the leg, if there is one, from the hold until it is known how it went.
   *
   * @param order orders one first
   * @returns why the agent is to go on with the callee; null if there was none, it has handed over, or the call is over
   */
  run(order?: () => Promise<void>): Promise<string | null>;
  /**
   * Takes up what an agent that died has left: goes on carrying sound if the call was handed over.
   *
   * @returns whether it was
   */
  resume(): Promise<boolean>;
}

/** Hears the dialer ask for it. Only the service itself can: data that a participant sends has a sender. */
export function listenForHold(room: Room, asked: () => void): void {
  room.on(RoomEvent.DataReceived, (_data: Uint8Array, sender?: RemoteParticipant, _kind?: unknown, topic?: string) => {
    if (topic === holdTopic && sender === undefined) asked();
  });
}

export function createHandOver(deps: {
  readonly db: Db;
  readonly leg: AgentLeg | null;
  readonly room: Room;
  /** Of the callee, or of the caller of a call that came in. */
  readonly identity: string;
  readonly liveKit: LiveKitSetting;
  readonly plan: SessionPlan;
  readonly access: ModelAccess;
  readonly vad: VAD;
  readonly call: CallControl;
  readonly now: () => { readonly language: LanguagePlan; readonly realtimeIndex: number };
  readonly said: () => readonly Said[];
  /** The callee hears the agent no more, nor the agent the callee; and the other way round. */
  readonly hold: (isHeld: boolean) => void;
  /** The agent has nothing more to say in this call. */
  readonly retire: () => Promise<void>;
  readonly logger: Logger;
}): HandOver {
  const { db, leg, room, identity, call, logger } = deps;
  let away = false;
  let held = false;
  const hold = (isHeld: boolean): void => {
    if (held !== isHeld) deps.hold(isHeld);
    held = isHeld;
  };

  /** Hangs the target up. If it cannot be stored when, the dialer does so. */
  async function leave(place: TargetPlace, id: string, ofLeg: AgentLeg): Promise<void> {
    await place.close();
    await noteTargetLeft(db, ofLeg, id).catch((error: unknown) =>
      logger.warn({ err: error }, 'the end of a transfer target could not be stored; the dialer stores it'),
    );
  }

  async function join(place: TargetPlace, id: string, ofLeg: AgentLeg): Promise<void> {
    await deps.retire();
    const end = await joinTwo({ room, identity }, place);
    logger.info('the call is handed over');
    // Whoever hangs up first ends both.
    place.target.over.addEventListener('abort', () => void call.hangUp('transferred'), { once: true });
    if (place.target.over.aborted) await call.hangUp('transferred');
    const finish = (): void => void end().then(() => leave(place, id, ofLeg));
    if (call.over.aborted) finish();
    else call.over.addEventListener('abort', finish, { once: true });
  }

  /** Stores that the target took the call: once more if the answer is lost, as both are about to speak. @returns false if it is too late */
  async function take(id: string): Promise<boolean> {
    const taken = { transferred: true, message: 'the target took the call' };
    return settleWarmTransfer(db, id, taken).catch((error: unknown) => {
      logger.warn({ err: error }, 'whether a warm transfer is stored is not known; storing it once more');
      return settleWarmTransfer(db, id, taken);
    });
  }

  async function transfer(id: string, ofLeg: AgentLeg): Promise<string | null> {
    const place = await enterTargetRoom(deps.liveKit, targetRoom(ofLeg, id), id, logger);
    let verdict: Verdict;
    try {
      verdict = await consult({
        ...{ db, place, transferId: id, plan: deps.plan, access: deps.access, vad: deps.vad, logger },
        ...deps.now(),
        said: deps.said(),
        over: call.over,
        ready: async () => {
          hold(true);
          await noteHeld(db, id);
        },
      });
      if (verdict.taken && !(await take(id))) verdict = { taken: false, why: 'it took too long' };
    } catch (error) {
      logger.error({ err: error }, 'a warm transfer failed');
      verdict = { taken: false, why: 'the agent could not speak with the target' };
    }
    if (verdict.taken) {
      await join(place, id, ofLeg);
      return null;
    }
    await settleWarmTransfer(db, id, { transferred: false, message: verdict.why });
    await leave(place, id, ofLeg);
    return call.over.aborted ? null : verdict.why;
  }

  return {
    get isAway() {
      return away;
    },
    async run(order) {
      if (leg === null || away || call.over.aborted) return null;
      away = true;
      let why: string | null = null;
      try {
        await order?.();
        const found = await warmTransferOf(db, leg);
        if (found?.status === 'wanted') {
          await call.sayInOwnWords(
            'Tell the callee in one short sentence that you are asking a colleague, and to hold the line.',
          );
          why = await transfer(found.id, leg);
          if (why === null) return null;
        }
      } catch (error) {
        logger.error({ err: error }, 'a warm transfer could not be carried out');
        why = 'it could not be carried out';
      }
      away = false;
      hold(false);
      return why;
    },
    async resume() {
      const found = leg === null ? null : await warmTransferOf(db, leg);
      if (leg === null || found === null) return false;
      if (found.status === 'transferred') {
        away = true;
        hold(true);
        await join(await enterTargetRoom(deps.liveKit, targetRoom(leg, found.id), found.id, logger), found.id, leg);
        return true;
      }
      if (found.status === 'held' || found.status === 'calling') {
        // Whom it has called is hung up, by the dialer, and nobody is called a second time.
        await settleWarmTransfer(db, found.id, { transferred: false, message: 'the agent was interrupted' });
      }
      return false;
    },
  };
}
