import { ReadableStream } from 'node:stream/web';
import type { tts } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { Logger } from '../../platform/logger.js';

/** Speech that is synthesized while the phone rings, so that the callee does not wait for it after the answer. */
export type PreparedSpeech = Promise<ReadableStream<AudioFrame> | null>;

/**
 * Starts to make the sound of a text at once.
 *
 * @returns null if the voice failed: it is tried again, with its fallbacks, when the text is to be said
 */
export async function prepareSpeech(voice: tts.TTS, text: string, logger: Logger): PreparedSpeech {
  try {
    const frames: AudioFrame[] = [];
    for await (const { frame } of voice.synthesize(text)) frames.push(frame);
    return frames.length === 0 ? null : ReadableStream.from(frames);
  } catch (error) {
    logger.warn({ err: error }, 'the greeting could not be synthesized ahead of the answer');
    return null;
  }
}
