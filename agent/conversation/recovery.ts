import { voice } from '@livekit/agents';
import type { Logger } from '../../platform/logger.js';
import { RealtimeAnswerLost } from '../models/realtime.js';

/** Deals with replies and speech recognition that failed with all their models. */
export interface Recovery {
  /** Listens to the session of the moment. */
  watch(session: voice.AgentSession): void;
  /** The callee has answered: before this nothing may be said. */
  begin(): void;
  /** The agent has been heard, and has stopped. */
  spoke(): void;
  /** The callee was understood. */
  understood(): void;
}

type SessionError = voice.ErrorEvent['error'];

const isAnswerLost = (error: SessionError): error is Extract<SessionError, { type: 'realtime_model_error' }> =>
  error.type === 'realtime_model_error' && error.error instanceof RealtimeAnswerLost;

/** Whether an error of a session took a reply, or the rest of one, from the callee. */
export const isReplyLost = (error: SessionError): boolean =>
  isAnswerLost(error) || (error.type !== 'stt_error' && !error.recoverable);

/** Failures with all models after which the call goes on; the next one ends it. */
const mostFailures = 1;

/**
 * Ends the silence after a reply failed with all its models: it is tried again, once, then the call ends. A callee who was not
 * understood is asked to repeat it, once in a row.
 *
 * ```
 * waiting ── begin ──▶ talking ── 1st failure ──▶ tried again ── 2nd in a row ──▶ given up
 *                         ▲── spoke, understood ───────┘
 * ```
 *
 * @param tryAgain makes the agent speak, after no voice or no text came
 * @param askAgain has it ask for what it did not understand
 * @param giveUp ends the call; `speechless` if nothing can be spoken
 */
export function createRecovery(options: {
  readonly tryAgain: () => void;
  readonly askAgain: () => void;
  readonly giveUp: (speechless: boolean) => void;
  readonly logger: Logger;
}): Recovery {
  const { logger } = options;
  let [begun, over, handling] = [false, false, false];
  let [mute, deaf] = [0, 0];
  let latest: voice.SpeechHandle | null = null;

  function act(count: number, again: () => void, speechless: boolean): void {
    if (over) return;
    if (count > mostFailures) {
      over = true;
      options.giveUp(speechless);
    } else again();
  }

  /** One reply fails in many places, each of its sentences for one: it counts once, when it is over. */
  async function replyFailed(speechless: boolean): Promise<void> {
    if (handling) return;
    handling = true;
    try {
      await latest?.waitForPlayout();
    } finally {
      handling = false;
    }
    mute += 1;
    act(mute, options.tryAgain, speechless);
  }

  /** A realtime model counts what it has lost by itself, and fails in its turn. */
  async function askOnceMore(): Promise<void> {
    await latest?.waitForPlayout();
    act(0, options.tryAgain, false);
  }
  const notAwaited = (failure: unknown): void =>
    logger.warn({ err: failure }, 'the end of a failed reply could not be awaited');

  return {
    watch(session) {
      session.on(voice.AgentSessionEventTypes.SpeechCreated, ({ speechHandle }) => {
        latest = speechHandle;
      });
      session.on(voice.AgentSessionEventTypes.Error, ({ error }) => {
        if (!begun || over) return;
        if (error.type === 'stt_error' && error.recoverable) {
          deaf += 1;
          logger.warn({ deaf, err: error.error }, 'speech recognition failed with all its models');
          act(deaf, options.askAgain, false);
        }
        if (isAnswerLost(error)) {
          logger.warn({ err: error.error }, 'the realtime model is asked once more');
          void askOnceMore().catch(notAwaited);
        }
        if ((error.type !== 'llm_error' && error.type !== 'tts_error') || error.recoverable) return;
        logger.warn({ part: error.type, err: error.error }, 'a reply of the agent failed with all its models');
        void replyFailed(error.type === 'tts_error').catch(notAwaited);
      });
    },
    begin() {
      begun = true;
    },
    spoke() {
      // The half of a reply that failed is no sign that the next will be whole.
      if (!handling) mute = 0;
    },
    understood() {
      deaf = 0;
    },
  };
}
