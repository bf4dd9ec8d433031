import type { QueueAnswer } from '../db/queries/calls/queue-attempts.js';
import type { OpenCallEntry } from '../activities/calls.js';
import type { EndedAttempt } from '../domain/workflow/contract.js';
import type { CallAtWork, CallsProgress } from './signals.js';

/** The next calls of a batch do not wait for an attempt that is due later than this. */
const soonMs = 60_000;
/** The first pass counts as done when no more than this share of it is open. */
const openShare = 0.1;

interface Work {
  readonly attempt: number;
  /** When the attempt goes into the queue; null: it is there, or live. */
  readonly dueAtMs: number | null;
  /** It waits for its calling window to open, in the queue, or for its own `notBefore`. */
  readonly later: boolean;
}

/** A ledger as it is handed over when the workflow continues as new. */
export interface CarriedLedger {
  readonly work: readonly (readonly [callId: string, attempt: number, dueAtMs: number | null, later: boolean])[];
  readonly firstAttempts: number;
}

/**
 * What a workflow knows of its calls: for each unsettled one, the attempt that it is at and when that is due. Pure: the
 * instants come from the caller.
 */
export interface CallLedger {
  /** Replaces everything by what Postgres says. */
  load(open: readonly OpenCallEntry[], nowMs: number): void;
  /** Takes in ends of attempts. Ends of past attempts are ignored, ends of later ones accepted. */
  take(ended: readonly EndedAttempt[]): void;
  /** Attempts that are due within `aheadMs`, now counted as queued. */
  moveDue(nowMs: number, aheadMs: number): (readonly [callId: string, attempt: number])[];
  /** Takes in the queue's answer to `requested`. */
  noteAnswer(requested: readonly (readonly [callId: string, attempt: number])[], answer: QueueAnswer): void;
  readonly isEmpty: () => boolean;
  readonly nextDueMs: () => number | null;
  /** Whether nearly all first attempts have been made, closed calling windows aside. */
  readonly firstPassDone: () => boolean;
  readonly progress: () => CallsProgress;
  readonly list: () => CallAtWork[];
  readonly carry: () => CarriedLedger;
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export function createLedger(carried: CarriedLedger = { work: [], firstAttempts: 0 }): CallLedger {
  const work = new Map<string, Work>(
    carried.work.map(([callId, attempt, dueAtMs, later]) => [callId, { attempt, dueAtMs, later }]),
  );
  let { firstAttempts } = carried;

  const nextDueMs = (): number | null => {
    let next: number | null = null;
    for (const { dueAtMs } of work.values()) if (dueAtMs !== null && (next === null || dueAtMs < next)) next = dueAtMs;
    return next;
  };

  return {
    load(open, nowMs) {
      work.clear();
      for (const [callId, attempt, dueAt, queued] of open) {
        const dueMs = dueAt === null ? nowMs : Date.parse(dueAt);
        work.set(callId, { attempt, dueAtMs: queued ? null : dueMs, later: dueMs > nowMs + soonMs });
      }
      firstAttempts = Math.max(firstAttempts, open.filter(([, attempt]) => attempt === 1).length);
    },

    take(ended) {
      for (const [callId, attempt, nextAttemptAt] of ended) {
        const known = work.get(callId);
        if (known === undefined || attempt < known.attempt) continue;
        if (nextAttemptAt === null) work.delete(callId);
        else work.set(callId, { attempt: attempt + 1, dueAtMs: Date.parse(nextAttemptAt), later: false });
      }
    },

    moveDue(nowMs, aheadMs) {
      const due: (readonly [string, number])[] = [];
      for (const [callId, { attempt, dueAtMs }] of work) {
        if (dueAtMs === null || dueAtMs > nowMs + aheadMs) continue;
        due.push([callId, attempt]);
        work.set(callId, { attempt, dueAtMs: null, later: false });
      }
      return due;
    },

    noteAnswer(requested, { later, settled }) {
      for (const place of settled) {
        const [callId] = requested[place] ?? [];
        if (callId !== undefined) work.delete(callId);
      }
      for (const place of later) {
        const [callId, attempt] = requested[place] ?? [];
        if (callId !== undefined && attempt !== undefined) work.set(callId, { attempt, dueAtMs: null, later: true });
      }
    },

    isEmpty: () => work.size === 0,
    nextDueMs,

    firstPassDone() {
      let open = 0;
      for (const { attempt, later } of work.values()) if (attempt === 1 && !later) open += 1;
      return open <= firstAttempts * openShare;
    },

    progress() {
      const waiting = [...work.values()].filter(({ dueAtMs }) => dueAtMs !== null).length;
      return { open: work.size, queued: work.size - waiting, waiting, nextDueAt: iso(nextDueMs()) };
    },

    list: () => [...work].map(([callId, { attempt, dueAtMs }]) => ({ callId, attempt, dueAt: iso(dueAtMs) })),

    carry: () => ({
      work: [...work].map(([callId, { attempt, dueAtMs, later }]) => [callId, attempt, dueAtMs, later]),
      firstAttempts,
    }),
  };
}
