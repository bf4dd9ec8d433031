import { type Unsent, unsentSentence } from '../call/unsent.js';
import { type MissingOfTemporal, missingSentences, strandedSentence } from '../workflow/worker-versions.js';

/** A file that is not read yet: how many older ones of its account are read before it, and whether its reading has begun. */
export type FileTurn = readonly [before: number, isBegun: boolean];

/** `troubled`: dialers run, and none of them does its work. */
export type DialersNow = 'working' | 'troubled' | 'none';

/** What keeps a whole batch waiting. */
export interface StandstillFacts {
  /** null: its file has been read, or it has none. */
  readonly fileTurn: FileTurn | null;
  /** Whether recipients are due that a dialer would take. */
  readonly isDue: boolean;
  readonly dialers: DialersNow;
  readonly missing: MissingOfTemporal | null;
  /** The version of workers that its workflow is pinned to, of which none runs; omitted: others carry it on. */
  readonly strandedOn?: string | undefined;
  /** Why its gateway sends no call; null: it does, or nothing is to be sent. */
  readonly unsent: Unsent | null;
  readonly now: Date;
}

const dialerSentences: Readonly<Record<DialersNow, readonly string[]>> = {
  working: [],
  troubled: ['A dialer is running but cannot do its work: its log and its `/healthz` say why.'],
  none: ['No dialer runs, so nobody is called.'],
};

function turnSentence([before, isBegun]: FileTurn): string {
  if (before === 1) return 'Its file is read after an older one of the account.';
  if (before > 1) return `Its file is read after ${before.toLocaleString('en-US')} older ones of the account.`;
  return isBegun ? 'Its file is being read.' : 'Its file waits to be read.';
}

/** What the service lacks that batches need: a sentence for each part; none if all is there. */
export const missingOf = (dialers: DialersNow, missing: MissingOfTemporal | null): string[] => [
  ...dialerSentences[dialers],
  ...(missing === null ? [] : [missingSentences[missing]]),
];

/** What keeps a batch that is not over from going on, whatever its recipients wait for: a sentence for each; none if nothing does. */
export function standstillOf(facts: StandstillFacts): string[] {
  const { fileTurn, isDue, dialers, missing, strandedOn, unsent, now } = facts;
  return [
    ...(fileTurn === null ? [] : [turnSentence(fileTurn)]),
    // While nobody is due, a dialer is not missed.
    ...missingOf(isDue ? dialers : 'working', missing),
    ...(strandedOn === undefined ? [] : [strandedSentence(strandedOn)]),
    ...(unsent === null ? [] : [unsentSentence(unsent, now)]),
  ];
}
