import type { Logger } from '../platform/logger.js';
import type { TranscriptLine } from '../telephony/provider.js';

export interface Transcript {
  readonly lines: readonly TranscriptLine[];
  add(speaker: TranscriptLine['speaker'], text: string, at: Date): void;
  /** Resolves when everything said so far is stored, or could not be. */
  flush(): Promise<void>;
}

/**
 * What is said, stored line by line: a process that dies takes nothing with it that was spoken before. One write at a
 * time, each with everything so far, so that a slow database gets fewer and longer ones.
 *
 * @param said what an agent before this one has stored of the same call
 */
export function createTranscript(
  said: readonly TranscriptLine[],
  store: (lines: readonly TranscriptLine[]) => Promise<void>,
  logger: Logger,
): Transcript {
  const lines = [...said];
  let stored = lines.length;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (stored < lines.length) {
      const count = lines.length;
      try {
        await store(lines.slice(0, count));
      } catch (error) {
        // The next line takes these along.
        logger.warn({ err: error }, 'the transcript could not be stored');
        return;
      }
      stored = count;
    }
  }
  const kick = (): Promise<void> =>
    (writing ??= write().finally(() => {
      writing = null;
    }));

  return {
    lines,
    add(speaker, text, at) {
      const said = text.trim();
      if (said === '') return;
      lines.push({ speaker, text: said, at: at.toISOString() });
      void kick();
    },
    async flush() {
      await writing;
      await kick();
    },
  };
}
