import fc from 'fast-check';
import { play } from './play.js';
import { scenarios, type Odds, type Scenario, type Start } from './scenario.js';
import type { Stage } from './stage.js';

export interface Wanted {
  readonly steps: number;
  readonly seed: number;
  /** Of one scenario, as a violation names it: plays it alone. */
  readonly path?: string;
  /** Odds of moves, where they are not the usual ones. */
  readonly odds?: Odds;
  readonly start?: Start;
  /** How long a scenario that broke something is made smaller, and how many smaller ones are tried. */
  readonly shrinkMs?: number;
  readonly mostSmaller?: number;
  /** Whether each scenario is played until nothing is left to do: for most of them that takes longer than all before. */
  readonly toItsEnd?: boolean;
}

export interface Explored {
  readonly scenarios: number;
  readonly steps: number;
  readonly invites: number;
  /** Words for a person: what was broken, by what, and how to see it again; null: nothing. */
  readonly violation: string | null;
  /** Of the scenario that broke something, made as small as time allowed. */
  readonly path: string | null;
  /** Its moves. */
  readonly moves: number | null;
}

/** No scenario has so few steps on average. */
const fewestSteps = 100;
const shownOfCourse = 80;

/** Plays scenarios until they have made so many steps, or one has broken something; that one is made as small as can be. */
export async function explore(stage: Stage, wanted: Wanted): Promise<Explored> {
  const { steps, seed, path, odds, toItsEnd = true, start = 'any' } = wanted;
  const { shrinkMs = 60_000, mostSmaller = Infinity } = wanted;
  const count = { scenarios: 0, steps: 0, invites: 0 };
  const smaller = { tried: 0 };
  const first: { atMs: number | null; whileMoving: boolean } = { atMs: null, whileMoving: false };
  let last: { words: string[]; scenario: Scenario } | null = null;

  const failed: { error: Error | null } = { error: null };
  const property = fc.asyncProperty(scenarios(odds, start), async (chosen) => {
    if (first.atMs === null) {
      if (count.steps >= steps) return;
    } else if (Date.now() - first.atMs >= shrinkMs || (smaller.tried += 1) > mostSmaller) return;
    if (failed.error !== null) return;
    const played = await play(stage, chosen, toItsEnd && !first.whileMoving).catch((thrown: unknown) => {
      failed.error = new Error('a scenario could not be played', { cause: thrown });
      throw thrown;
    });
    if (first.atMs === null) {
      count.scenarios += 1;
      count.steps += played.steps;
      count.invites += played.invites;
    }
    if (played.violations.length === 0) return;
    if (first.atMs === null) Object.assign(first, { atMs: Date.now(), whileMoving: played.whileMoving });
    last = { words: [...played.course.slice(-shownOfCourse), '', ...played.violations], scenario: chosen };
    throw new Error(played.violations.join('; '));
  });
  const numRuns = Math.ceil(steps / fewestSteps);
  const details = await fc.check(property, { seed, numRuns, ...(path === undefined ? {} : { path }) });
  if (failed.error !== null) throw failed.error;
  const violation = details.failed ? wordsOf(details.counterexamplePath, seed, last) : null;
  const moves = details.counterexample?.[0].moves.length ?? null;
  return { ...count, violation, path: details.counterexamplePath, moves };
}

function wordsOf(
  path: string | null,
  seed: number,
  last: { readonly words: readonly string[]; readonly scenario: Scenario } | null,
): string {
  if (last === null) return 'A scenario could not be played.';
  return [
    `With ${JSON.stringify(last.scenario)}`,
    'this came about (seconds, process, what happened):',
    ...last.words,
    '',
    `See it again: npm run simulate -- --seed ${seed} --path ${path ?? '0'}`,
  ].join('\n');
}
