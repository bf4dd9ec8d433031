/** Topic of the data that carries what a supervisor tells an agent; only the service itself may send it. */
export const whisperTopic = 'outdial.whisper';

export const longestWhisper = 2_000;

/** What a supervisor tells the agent of a live call. */
export interface Whisper {
  readonly text: string;
  /** It is acted on at once; else from the agent's next words on. */
  readonly now: boolean;
}

export const formatWhisper = (whisper: Whisper): string => JSON.stringify(whisper);

/** @returns null for what is none */
export function readWhisper(data: string): Whisper | null {
  try {
    const whisper: unknown = JSON.parse(data);
    if (typeof whisper !== 'object' || whisper === null || !('text' in whisper)) return null;
    const { text } = whisper;
    if (typeof text !== 'string' || text === '' || text.length > longestWhisper) return null;
    return { text, now: 'now' in whisper && whisper.now === true };
  } catch {
    return null;
  }
}

/** The instruction that the agent's model gets. */
export const whisperInstruction = (text: string): string =>
  'A supervisor of yours listens to this call and tells you the following, which the callee cannot hear. Follow it from now on. ' +
  `Never mention the supervisor, and do not repeat the words as they are: ${text}`;
