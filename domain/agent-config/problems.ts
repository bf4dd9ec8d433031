import type { Problem } from '../errors.js';
import { mostProblems } from '../input/problem-limit.js';
import type { ValidationCode } from './codes.js';

/** Where in a config: keys as the client sent them, and positions in lists. */
export type Path = readonly (string | number)[];

/** Notes one thing wrong; the message says what about the value, and the path is put before it. */
export type Report = (path: Path, code: ValidationCode, message: string) => void;

/** `languages.english.tts[0].voice` (docs/conformance.md, Errors); the whole body is the empty path. */
export const formatPath = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Sorts by path, then code, so that the same mistakes always read the same. */
const sortProblems = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted((one, other) => byText(one.path, other.path) || byText(one.code, other.code));

/**
 * A list to report to. The same code is kept once per path: two checks may see the same mistake. One more than an answer
 * lists is enough to know that there are more.
 */
export function collectProblems(): { readonly report: Report; readonly sorted: () => Problem[] } {
  const found = new Map<string, Problem>();
  return {
    report(path, code, message) {
      if (found.size > mostProblems) return;
      const where = formatPath(path);
      const key = `${code} ${where}`;
      if (found.has(key)) return;
      found.set(key, { path: where, code, message: `${where === '' ? 'The body' : where} ${message}` });
    },
    sorted: () => sortProblems([...found.values()]),
  };
}
