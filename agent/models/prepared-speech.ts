import { ReadableStream } from 'node:stream/web';
import type { tts } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { ModelChoice } from '../../domain/session-plan/types.js';
import type { Logger } from '../../platform/logger.js';
import { type KeptSpeech, keptSpeechOfWorker, speechName } from './kept-speech.js';

/** Speech that is synthesized while the phone rings, so that the callee does not wait for it after the answer. */
export type PreparedSpeech = Promise<ReadableStream<AudioFrame> | null>;

/**
 * Starts to make the sound of a text at once.
 *
 * @param kept where it may have been left by an earlier call, and by which name; null: it is for this call alone
 * @returns null if the voice failed: it is tried again, with its fallbacks, when the text is to be said
 */
async function prepareSpeech(
  voice: tts.TTS,
  text: string,
  kept: { readonly speech: KeptSpeech; readonly name: string } | null,
  logger: Logger,
): PreparedSpeech {
  try {
    const found = (await kept?.speech.find(kept.name)) ?? null;
    if (found !== null) return ReadableStream.from(found);
    const frames: AudioFrame[] = [];
    for await (const { frame } of voice.synthesize(text)) frames.push(frame);
    await kept?.speech.keep(kept.name, frames);
    return frames.length === 0 ? null : ReadableStream.from(frames);
  } catch (error) {
    logger.warn({ err: error }, 'the greeting could not be synthesized ahead of the answer');
    return null;
  }
}

/**
 * Starts to make the first words of a call. What every call hears is made once by a worker and kept for the others.
 *
 * @param voices that the language names: with others, or for another account, the same words are another sound
 */
export function prepareWords(
  words: readonly { readonly text: string; readonly isShared: boolean }[],
  by: {
    readonly voice: tts.TTS;
    readonly accountId: string;
    readonly voices: readonly ModelChoice[];
    readonly logger: Logger;
  },
): PreparedSpeech[] {
  const { voice, accountId, voices, logger } = by;
  const speech = keptSpeechOfWorker(logger);
  return words.map(({ text, isShared }) => {
    const kept = isShared && speech !== null ? { speech, name: speechName(accountId, voices, text) } : null;
    return prepareSpeech(voice, text, kept, logger);
  });
}
