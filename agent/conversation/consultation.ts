import { setTimeout as pause } from 'node:timers/promises';
import { llm, type VAD, voice } from '@livekit/agents';
import { Room, RoomEvent } from '@livekit/rtc-node';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import type { Db } from '../../db/client.js';
import { transferStatus } from '../../db/queries/calls/warm-transfers.js';
import { noteTargetAnswered } from '../../db/queries/dialer/warm-transfers.js';
import { consultationSeconds, targetIdentity } from '../../domain/call/warm-transfer.js';
import { consultationInstructions, consultationOpening } from '../../domain/session-plan/consultation.js';
import type { LanguagePlan, SessionPlan } from '../../domain/session-plan/types.js';
import type { LiveKitSetting } from '../../platform/livekit.js';
import type { Logger } from '../../platform/logger.js';
import type { ModelAccess } from '../models/models.js';
import { type Callee, watchCallee } from './callee.js';
import { listenForKeys } from './keys.js';
import { buildAgent, buildSession } from './session.js';

const requestSeconds = 5;
const lookEveryMs = 500;

/** A line of the conversation with the callee. */
export interface Said {
  readonly speaker: string;
  readonly text: string;
}

/** The room of a transfer's target, as this process is in it. */
export interface TargetPlace {
  readonly room: Room;
  readonly identity: string;
  readonly target: Callee;
  /** Hangs the target up, if it is there. */
  close(): Promise<void>;
}

/** @param name of the room, see domain/call/warm-transfer.ts */
export async function enterTargetRoom(
  { url, apiKey, apiSecret }: LiveKitSetting,
  name: string,
  transferId: string,
  logger: Logger,
): Promise<TargetPlace> {
  const rooms = new RoomServiceClient(url, apiKey, apiSecret, { requestTimeout: requestSeconds });
  const token = new AccessToken(apiKey, apiSecret, { identity: `agent_of_target_${transferId}` });
  token.addGrant({ room: name, roomJoin: true });
  const room = new Room();
  const identity = targetIdentity(transferId);
  const target = watchCallee(room, identity);
  await room.connect(url.replace(/^http/, 'ws'), await token.toJwt(), { autoSubscribe: true, dynacast: false });
  return {
    room,
    identity,
    target,
    async close() {
      await rooms.deleteRoom(name).catch(() => logger.debug('the room of a transfer target was gone already'));
      await room.disconnect().catch(() => undefined);
    },
  };
}

/** How a consultation went: the target takes the call, or why it does not. */
export type Verdict = { readonly taken: true } | { readonly taken: false; readonly why: string };

const noArguments = { type: 'object' as const, properties: {}, additionalProperties: false };

/**
 * Speaks with the target of a warm transfer, whose telephone is about to be called, until it has taken the call or not. It takes
 * an explicit yes, by word or by pressing 1, so that no mailbox ever takes one.
 *
 * @param ready called when the agent is there: the telephone may be called
 * @param over aborted when the callee has hung up
 */
export async function consult(options: {
  readonly place: TargetPlace;
  readonly transferId: string;
  readonly db: Db;
  readonly plan: SessionPlan;
  readonly language: LanguagePlan;
  readonly realtimeIndex: number;
  readonly said: readonly Said[];
  readonly access: ModelAccess;
  readonly vad: VAD;
  readonly ready: () => Promise<void>;
  readonly over: AbortSignal;
  readonly logger: Logger;
}): Promise<Verdict> {
  const { place, plan, language, vad, over, logger } = options;
  const { target, room, identity } = place;
  let decide: (verdict: Verdict) => void = () => undefined;
  const decided = new Promise<Verdict>((resolve) => (decide = resolve));
  const take = (): void => decide({ taken: true });
  const decline = (why: string) => (): void => decide({ taken: false, why });
  const declined = decline('the transfer target declined the call');

  const decision = (name: string, description: string, act: () => void) =>
    llm.tool({
      name,
      description,
      parameters: noArguments,
      execute: () => {
        act();
        return Promise.reject(new voice.StopResponse());
      },
    }) as llm.FunctionTool;
  const agent = buildAgent({
    language: { ...language, instructions: consultationInstructions(language.name, options.said) },
    plan,
    access: options.access,
    vad,
    tools: [
      decision('take_call', 'Joins the colleague with the one who waits. Only after a clear yes.', take),
      decision('decline_call', 'The colleague does not take the call.', declined),
      decision('not_a_person', 'A mailbox, a menu or a recording has answered.', decline('a mailbox answered')),
    ],
    chatCtx: llm.ChatContext.empty(),
    realtimeIndex: options.realtimeIndex,
    entered: () => undefined,
  });
  const session = buildSession(vad, plan.interruption);
  const stopped = new AbortController();
  const stop = AbortSignal.any([over, stopped.signal]);
  const within = (seconds: number, why: string): void =>
    void pause(seconds * 1000, undefined, { signal: stop }).then(decline(why), () => undefined);

  /** Only while a target is called: the dialer says so if the carrier refuses it. */
  async function watchCarrier(): Promise<void> {
    while (!stop.aborted) {
      const found = await transferStatus(options.db, options.transferId).catch(() => null);
      if (found?.status === 'failed') decide({ taken: false, why: found.message ?? 'the target could not be called' });
      await pause(lookEveryMs, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  try {
    over.addEventListener('abort', decline('the call ended before it was transferred'), { once: true });
    room.on(RoomEvent.Disconnected, decline('the room of the target was closed'));
    target.over.addEventListener('abort', decline('the transfer target hung up'), { once: true });
    listenForKeys(room, identity, (keys) => {
      if (keys.startsWith('1')) take();
      else if (keys.startsWith('2')) declined();
    });
    session.on(voice.AgentSessionEventTypes.Close, decline('the agent could not speak with the target'));
    await session.start({
      agent,
      room,
      record: false,
      inputOptions: { participantIdentity: identity, closeOnDisconnect: false },
    });
    session.input.setAudioEnabled(false);
    await options.ready();
    void watchCarrier();
    void target.answered.then((isAnswered) => {
      if (!isAnswered) return;
      void noteTargetAnswered(options.db, options.transferId, new Date()).catch((error: unknown) =>
        logger.warn({ err: error }, 'the answer of a transfer target could not be stored'),
      );
      if (stop.aborted) return;
      logger.info('the transfer target has answered');
      session.input.setAudioEnabled(true);
      within(consultationSeconds, 'the transfer target did not take the call in time');
      session.generateReply({ instructions: consultationOpening, toolChoice: 'none' });
    });
    return await decided;
  } finally {
    stopped.abort();
    await session.close().catch((error: unknown) => logger.warn({ err: error }, 'a consultation could not be closed'));
  }
}
