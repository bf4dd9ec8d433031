import { voice } from '@livekit/agents';
import type { Logger } from '../../platform/logger.js';
import type { EndReason } from '../../domain/call/end-reasons.js';
import { aborted } from './aborted.js';
import { isReplyLost } from './recovery.js';

/** The call as tools and timers control it: they make the agent speak, or end the call. */
export interface CallControl {
  /** Aborted when the call is over, for whatever reason. */
  readonly over: AbortSignal;
  /**
   * Says this text. Resolves when it was heard, or the call is over; never rejects.
   *
   * @returns whether nothing kept it from being said to the end
   */
  say(text: string, interruptible: boolean): Promise<boolean>;
  /** Makes the model say something by these instructions. Resolves as `say` does. */
  sayInOwnWords(instructions: string): Promise<void>;
  /** Ends the call, once: later reasons do not count. Resolves when dialer and LiveKit have been asked to end it. */
  hangUp(reason: EndReason): Promise<void>;
}

/** A voice that does not come must not keep a call open. */
const longestSpeechMs = 60_000;

/**
 * @param talk the session that speaks now, and whether it can speak a given text
 * @param end asks dialer and LiveKit to end the leg
 */
export function createCallControl(options: {
  readonly talk: () => { readonly session: voice.AgentSession; readonly hasVoice: boolean } | null;
  readonly over: AbortSignal;
  readonly end: (reason: EndReason) => Promise<void>;
  readonly logger: Logger;
}): CallControl {
  const { talk, over, logger } = options;
  let ending: Promise<void> | null = null;
  const isOver = aborted(over);

  async function heard(session: voice.AgentSession, speak: () => voice.SpeechHandle): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    let isWhole = true;
    const failed = (): void => {
      isWhole = false;
    };
    const watch = ({ error }: voice.ErrorEvent): void => {
      if (isReplyLost(error)) failed();
    };
    session.on(voice.AgentSessionEventTypes.Error, watch);
    try {
      const tooLong = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, longestSpeechMs);
      });
      await Promise.race([speak().waitForPlayout(), isOver, tooLong.then(failed)]);
    } catch (error) {
      failed();
      logger.warn({ err: error }, 'the agent could not speak a message');
    } finally {
      clearTimeout(timer);
      session.off(voice.AgentSessionEventTypes.Error, watch);
    }
    return isWhole;
  }

  return {
    over,
    async say(text, interruptible) {
      const current = talk();
      if (current === null || over.aborted) return false;
      const { session, hasVoice } = current;
      return heard(session, () =>
        hasVoice
          ? session.say(text, { allowInterruptions: interruptible })
          : session.generateReply({
              instructions: `Say exactly this and nothing else: ${text}`,
              allowInterruptions: interruptible,
            }),
      );
    },
    async sayInOwnWords(instructions) {
      const current = talk();
      if (current === null || over.aborted) return;
      const { session } = current;
      await heard(session, () =>
        session.generateReply({ instructions, toolChoice: 'none', allowInterruptions: false }),
      );
    },
    hangUp: (reason) =>
      (ending ??= (async () => {
        logger.info({ reason }, 'the agent hangs up');
        await options.end(reason);
      })()),
  };
}
