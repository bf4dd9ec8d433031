import { setTimeout as pause } from 'node:timers/promises';
import { voice } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';
import type { Logger } from '../../platform/logger.js';
import { watchFirstSound } from './first-sound.js';
import { createNoiseCanceller, noiseFreeSampleRate } from '../models/noise.js';

/** Holds the session of a conversation, and opens another one when its model has failed for good. */
export interface SessionHolder {
  /** The present session; null before the first one. */
  session(): voice.AgentSession | null;
  /** Opens the first session. @throws if no model can be reached */
  open(): Promise<void>;
  /** Resolves when the present session can be used; rejects as `open` does. */
  ready(): Promise<void>;
  /** The callee has answered: what they say is heard from now on. */
  answered(): void;
  close(): Promise<void>;
}

const failed: string = voice.CloseReason.ERROR;
const longestCloseMs = 5_000;

/**
 * ```
 * opening ── begun ──▶ open ── its model failed for good ──▶ opening, with the next model
 *    └── failed ──▶ opening, with the next model; without one: `open` throws, or `gaveUp` is called
 * ```
 *
 * @param identity participant whose voice is heard
 * @param sounded called when the first sound of what the agent says has gone out
 * @param create makes a session and its agent for the present model
 * @param nextModel makes the next model the present one. @returns false if there is none
 * @param tookOver called when another session has begun and the callee waits for it to speak
 * @param gaveUp called when there is no other model
 */
export function createSessionHolder(options: {
  readonly room: Room;
  readonly identity: string;
  readonly noiseCancellation: boolean;
  readonly sounded: (atMs: number) => void;
  readonly create: () => { readonly session: voice.AgentSession; readonly agent: voice.Agent };
  readonly nextModel: () => boolean;
  readonly tookOver: () => void;
  readonly gaveUp: () => void;
  readonly over: AbortSignal;
  readonly logger: Logger;
}): SessionHolder {
  const { room, identity, noiseCancellation, over, logger } = options;
  const { Close } = voice.AgentSessionEventTypes;
  let session: voice.AgentSession | null = null;
  /** The present session once it has begun. One that closes before that is dealt with by `open`, not here. */
  let begun: voice.AgentSession | null = null;
  let opening = Promise.resolve();
  let isAnswered = false;

  /** Closes the present session: its tracks in the room would keep another one out. */
  async function leave(): Promise<void> {
    const closed = session
      ?.close()
      .catch((error: unknown) => logger.warn({ err: error }, 'the agent session could not be closed'));
    await Promise.race([closed, pause(longestCloseMs, undefined, { ref: false })]);
  }

  async function openNow(): Promise<void> {
    await leave();
    const { session: opened, agent } = options.create();
    [session, begun] = [opened, null];
    opened.on(Close, ({ reason }) => {
      if (opened === begun && reason === failed && !over.aborted) void replace();
    });
    const closed = new Promise<never>((_, reject) => {
      opened.once(Close, () => reject(new Error('the session closed before it began')));
    });
    closed.catch(() => undefined);
    const start = opened.start({
      agent,
      room,
      record: false,
      inputOptions: {
        participantIdentity: identity,
        // The callee's leaving is handled in one place for all reasons (callee.ts).
        closeOnDisconnect: false,
        ...(noiseCancellation
          ? { audioSampleRate: noiseFreeSampleRate, noiseCancellation: await createNoiseCanceller() }
          : {}),
      },
    });
    await Promise.race([start, closed]);
    const { audio } = opened.output;
    if (audio !== null) watchFirstSound(audio, options.sounded);
    if (!isAnswered) opened.input.setAudioEnabled(false);
    begun = opened;
  }

  async function open(): Promise<void> {
    for (;;) {
      try {
        await openNow();
        return;
      } catch (error) {
        logger.warn({ err: error }, 'a session could not be opened with a model');
        if (over.aborted || !options.nextModel()) throw error;
      }
    }
  }

  /** A session ends by itself when its model has failed for good. */
  async function replace(): Promise<void> {
    const owesWords = isAnswered;
    try {
      if (options.nextModel()) {
        opening = open();
        await opening;
        if (owesWords) options.tookOver();
        return;
      }
    } catch (error) {
      logger.error({ err: error }, 'no other model could take over');
    }
    options.gaveUp();
  }

  return {
    session: () => session,
    open: () => (opening = open()),
    ready: () => opening,
    answered() {
      isAnswered = true;
      session?.input.setAudioEnabled(true);
    },
    close: leave,
  };
}
