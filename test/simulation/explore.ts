import fc from 'fast-check';
import { play } from './play.js';
import { scenarios, type Odds, type Scenario, type Start } from './scenario.js';
import { placesText, smallerBy } from './smaller.js';
import type { Stage } from './stage.js';

export interface Wanted {
  readonly steps: number;
  readonly seed: number;
  /** Of one scenario, as a violation names it: plays it alone. */
  readonly path?: string;
  /** Places of the moves that it keeps; all, if it is not said. */
  readonly places?: readonly number[];
  /** Odds of moves, if they are not the usual ones. */
  readonly odds?: Odds;
  readonly start?: Start;
  /**
   * How long a scenario that broke something is made smaller, a third of it by simpler settings, the rest by fewer moves; and
   * how many smaller ones are tried in each part.
   */
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
  /** Places of the moves that it keeps. */
  readonly places: readonly number[] | null;
}

/** No scenario has so few steps on average. */
const fewestSteps = 100;
const shownOfCourse = 80;

/** What one scenario broke. */
interface Broken {
  readonly scenario: Scenario;
  readonly words: readonly string[];
}

/** Of a scenario, these moves alone. */
const keeping = (scenario: Scenario, places: readonly number[]): Scenario => ({
  ...scenario,
  moves: places.flatMap((place) => scenario.moves[place] ?? []),
});

/** Plays scenarios until they have made so many steps, or one has broken something; that one is made as small as can be. */
export async function explore(stage: Stage, wanted: Wanted): Promise<Explored> {
  const { steps, seed, path, places, odds, toItsEnd = true, start = 'any' } = wanted;
  const { shrinkMs = 120_000, mostSmaller = Infinity } = wanted;
  const count = { scenarios: 0, steps: 0, invites: 0 };
  const first: { atMs: number | null; whileMoving: boolean } = { atMs: null, whileMoving: false };
  let last: Broken | null = null;

  const failed: { error: Error | null } = { error: null };
  /** @returns what it broke */
  async function playOne(chosen: Scenario): Promise<readonly string[]> {
    const played = await play(stage, chosen, toItsEnd && !first.whileMoving).catch((thrown: unknown) => {
      failed.error = new Error('a scenario could not be played', { cause: thrown });
      throw thrown;
    });
    const { violations, whileMoving } = played;
    if (first.atMs === null) {
      count.scenarios += 1;
      count.steps += played.steps;
      count.invites += played.invites;
    }
    if (violations.length === 0) return violations;
    if (first.atMs === null) Object.assign(first, { atMs: Date.now(), whileMoving });
    last = { scenario: chosen, words: [...played.course.slice(-shownOfCourse), '', ...violations] };
    return violations;
  }

  /** Whether a part of the time, and of the tries, is left. */
  function timeFor(part: number): () => boolean {
    let tried = 0;
    return () => Date.now() - (first.atMs ?? Date.now()) < shrinkMs * part && (tried += 1) <= mostSmaller;
  }

  const mayBeSimpler = timeFor(1 / 3);
  const property = fc.asyncProperty(scenarios(odds, start), async (chosen) => {
    if (first.atMs === null ? count.steps >= steps : !mayBeSimpler()) return;
    if (failed.error !== null) return;
    const violations = await playOne(places === undefined ? chosen : keeping(chosen, places));
    if (violations.length > 0) throw new Error(violations.join('; '));
  });
  const numRuns = Math.ceil(steps / fewestSteps);
  const details = await fc.check(property, {
    ...{ seed, numRuns, endOnFailure: places !== undefined },
    ...(path === undefined ? {} : { path }),
  });
  if (failed.error !== null) throw failed.error;
  const found = details.counterexample?.[0];
  if (found === undefined) return { ...count, violation: null, path: null, places: null };
  const kept =
    places ??
    (await smallerBy(
      found.moves.map((_move, place) => place),
      async (rest) => (await playOne(keeping(found, rest))).length > 0,
      timeFor(1),
    ));
  return {
    ...count,
    violation: wordsOf(details.counterexamplePath, seed, kept, last),
    path: details.counterexamplePath,
    places: kept,
  };
}

function wordsOf(path: string | null, seed: number, places: readonly number[], last: Broken | null): string {
  if (last === null) return 'A scenario could not be played.';
  return [
    `With ${JSON.stringify(last.scenario)}`,
    'this came about (seconds, process, what happened):',
    ...last.words,
    '',
    `See it again: npm run simulate -- --seed ${seed} --path ${path ?? '0'} --moves ${placesText(places)}`,
  ].join('\n');
}
