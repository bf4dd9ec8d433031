/** One thing that the soak did or saw, for the timeline of a violation. */
export interface JournalEntry {
  readonly atMs: number;
  readonly kind: 'fault' | 'order' | 'process';
  readonly text: string;
  /** Ids and numbers that it is about. */
  readonly about: readonly string[];
}

export interface Interval {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Everything that happened, in order. */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Faults by kind. */
  readonly faults: ReadonlyMap<string, number>;
  add(kind: JournalEntry['kind'], text: string, about?: readonly string[]): void;
  countFault(kind: string, text: string): void;
}

export function createJournal(): Journal {
  const entries: JournalEntry[] = [];
  const faults = new Map<string, number>();
  const add: Journal['add'] = (kind, text, about = []) => entries.push({ atMs: Date.now(), kind, text, about });
  return {
    entries,
    faults,
    add,
    countFault(kind, text) {
      faults.set(kind, (faults.get(kind) ?? 0) + 1);
      add('fault', text);
    },
  };
}
