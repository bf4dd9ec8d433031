import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What must be known of a run that failed, in a file as well: scripts/test-report.mjs prints it at the end of CI. */
export interface Findings {
  /** The first few with their timeline, the others in one line each. */
  violation(headline: string, timeline: readonly string[]): void;
  /** Why the soak itself could not go on. */
  crash(error: unknown): void;
  add(...lines: readonly string[]): void;
}

const mostTimelines = 4;

export function openFindings(path: string, command: string): Findings {
  let violations = 0;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${command}\n`);
  const add = (...lines: readonly string[]): void => {
    appendFileSync(path, lines.map((line) => `${line}\n`).join(''));
  };
  return {
    add,
    violation(headline, timeline) {
      violations += 1;
      add(headline, ...(violations > mostTimelines ? [] : timeline));
    },
    crash: (error) => add(`CRASH ${textOf(error)}`),
  };
}

/** An error with its stack and its causes. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${textOf(error.cause)}`;
}
