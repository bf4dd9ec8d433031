import type { Logger } from '../../platform/logger.js';
import type { TranscriptLine } from '../../telephony/provider.js';
import { writeBehind } from './write-behind.js';

export interface Transcript {
  readonly lines: readonly TranscriptLine[];
  add(speaker: TranscriptLine['speaker'], text: string, at: Date): void;
  /** See write-behind.ts. */
  flush(): Promise<boolean>;
}

/**
 * What is said, stored line by line: a process that dies takes nothing with it that was spoken before.
 *
 * @param said what an agent before this one has stored of the same call
 */
export function createTranscript(
  said: readonly TranscriptLine[],
  store: (lines: readonly TranscriptLine[]) => Promise<void>,
  logger: Logger,
): Transcript {
  const lines = [...said];
  const behind = writeBehind(() => store([...lines]), 'the transcript', logger);
  return {
    lines,
    add(speaker, text, at) {
      const said = text.trim();
      if (said === '') return;
      lines.push({ speaker, text: said, at: at.toISOString() });
      behind.changed();
    },
    flush: () => behind.flush(),
  };
}
