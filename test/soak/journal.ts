/** One thing that the soak did or saw, for the timeline of a violation. */
export interface JournalEntry {
  readonly atMs: number;
  readonly kind: 'fault' | 'order' | 'process' | 'state' | 'log';
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
  /** Something that is noted after it happened. */
  addAt(atMs: number, kind: JournalEntry['kind'], text: string, about?: readonly string[]): void;
  countFault(kind: string, text: string): void;
}

export function createJournal(): Journal {
  const entries: JournalEntry[] = [];
  const faults = new Map<string, number>();
  const addAt: Journal['addAt'] = (atMs, kind, text, about = []) => entries.push({ atMs, kind, text, about });
  const add: Journal['add'] = (kind, text, about) => addAt(Date.now(), kind, text, about);
  return {
    entries,
    faults,
    add,
    addAt,
    countFault(kind, text) {
      faults.set(kind, (faults.get(kind) ?? 0) + 1);
      add('fault', text);
    },
  };
}
