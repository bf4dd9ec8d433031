import { transcriptOf } from './dialogue.js';
import type { LedgerLine } from './ledger.js';
import { LegResult } from './wire.js';

/** How a leg ended, from its last line in the ledger: the same for those who listened and those who ask later. */
export function resultOfLine(
  line: LedgerLine,
  { seed, speed }: { readonly seed: number; readonly speed: number },
): LegResult {
  const { at, to = '', attempt = 1, answeredAt, answeredBy, disclosure = null, callbackAfterSeconds, agrees } = line;
  if (line.how !== 'ended' || answeredAt === undefined || answeredBy === undefined) return LegResult.parse(line);
  const talk = { answeredBy, answeredAtMs: Date.parse(answeredAt), endedAtMs: Date.parse(at) };
  const isAnnouncement = line.reason === 'announcement';
  const talked = { ...talk, seed, to, attempt, speed, disclosure, isAnnouncement, agrees };
  const callbackAt =
    callbackAfterSeconds === undefined
      ? {}
      : { callbackAt: new Date(Date.parse(at) + (callbackAfterSeconds * 1000) / speed).toISOString() };
  return LegResult.parse({ ...line, ...callbackAt, transcript: transcriptOf(talked) });
}
