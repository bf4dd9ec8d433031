import type { Counter } from 'prom-client';
import { elapsedMs, now, type Moment } from './moment.js';

/** What a dialer must be able to do again and again. */
export type Step = 'claim' | 'pace' | 'gate' | 'commit' | 'lease';

/** Does a step, and notes in the health and the metrics whether it succeeded. */
export type Watch = <T>(step: Step, work: () => Promise<T>) => Promise<T>;

export interface Health {
  /** A step succeeded: it is healthy again. */
  succeeded(step: Step): void;
  failed(step: Step, error: unknown): void;
  /** Why this dialer does not do its work, for an operator to read; null if it does. */
  trouble(): string | null;
}

const what: Readonly<Record<Step, string>> = {
  claim: 'no call can be claimed',
  pace: 'no call gets a slot',
  gate: 'no call passes the gate',
  commit: 'what is seen of calls cannot be stored',
  lease: 'the lease cannot be renewed',
};

/** A database that fails over is back within this time; an operator has to look at what takes longer. */
export const troubleAfterMs = 10_000;
/** The claim is asked at least every second, and the lease renewed every few: one that is not answered so long hangs. */
export const hangsAfterMs = 30_000;

/** A step that has only failed for a while, or that hangs, makes the dialer unhealthy: it runs, and dials nothing. */
export function createHealth(after = { troubleMs: troubleAfterMs, hangsMs: hangsAfterMs }): Health {
  const failing = new Map<Step, { readonly since: Moment; readonly message: string }>();
  const last = new Map<Step, Moment>([
    ['claim', now()],
    ['lease', now()],
  ]);
  const seconds = (since: Moment) => Math.round(elapsedMs(since) / 1000);
  const answered = (step: Step) => last.has(step) && last.set(step, now());

  return {
    succeeded(step) {
      answered(step);
      failing.delete(step);
    },
    failed(step, error) {
      answered(step);
      const message = error instanceof Error ? error.message : String(error);
      failing.set(step, { since: failing.get(step)?.since ?? now(), message });
    },
    trouble() {
      for (const [step, { since, message }] of failing) {
        if (elapsedMs(since) >= after.troubleMs) return `for ${seconds(since)} s ${what[step]}: ${message}`;
      }
      for (const [step, since] of last) {
        if (elapsedMs(since) >= after.hangsMs)
          return `for ${seconds(since)} s ${what[step]}: the database does not answer`;
      }
      return null;
    },
  };
}

export const createWatch =
  (health: Health, failures: Counter<'step'>): Watch =>
  async (step, work) => {
    try {
      const answer = await work();
      health.succeeded(step);
      return answer;
    } catch (error) {
      health.failed(step, error);
      failures.inc({ step });
      throw error;
    }
  };
