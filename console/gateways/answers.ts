import type { Schemas } from '../api/client.js';

/** What came of calls from some numbers. */
export interface Answers {
  readonly attempts: number;
  readonly answered: number;
}

/** What came of the calls from these numbers, added up. */
export const answersFrom = (stats: Schemas['AccountStats'] | undefined, numbers: readonly string[]): Answers => {
  const own = (stats?.rows ?? []).filter(({ key }) => key !== null && numbers.includes(key));
  return {
    attempts: own.reduce((sum, { attempts }) => sum + attempts, 0),
    answered: own.reduce((sum, { answered }) => sum + answered, 0),
  };
};
