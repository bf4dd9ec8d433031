import type { z } from 'zod';
import type { Problem } from '../errors.js';
import { mostProblems } from './problem-limit.js';

/** Error setting of a zod type: `is required` if nothing was sent, else these words. */
export const expected = (words: string): { error: (issue: { readonly input?: unknown }) => string } => ({
  error: (issue) => (issue.input === undefined || issue.input === null ? 'is required' : words),
});

/** `retry` + ['retryDelays', 1] → `retry.retryDelays[1]` */
function fieldPath(base: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((at, key) => {
    if (typeof key === 'number') return `${at}[${key}]`;
    return at === '' ? String(key) : `${at}.${String(key)}`;
  }, base);
}

type Issue = z.ZodError['issues'][number];

type WordsBeside = (path: string) => string;

/**
 * Parameters of an issue whose words name another field of the same object, by its path: `callingWindow[1].from`.
 *
 * @param words is given the path of the field
 */
export const besides = (field: string, words: WordsBeside): { field: string; words: WordsBeside } => ({ field, words });

/** The words of an issue that is at this path. */
export function wordsAt(issue: Issue, path: string): string {
  if (issue.code !== 'custom' || issue.params === undefined) return issue.message;
  const { field, words } = issue.params as Partial<ReturnType<typeof besides>>;
  if (field === undefined || words === undefined) return issue.message;
  return words(`${path.slice(0, path.lastIndexOf('.') + 1)}${field}`);
}

/** What a union says that has no words of its own, here and in bodies of requests. */
const wordless: ReadonlySet<string> = new Set(['Invalid input', 'is not valid']);

/** Of a value that fits none of several shapes: what is wrong by the shape that it resembles. */
function flatIssues(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || !wordless.has(issue.message)) return [issue];
  const branches = issue.errors.map((branch) => branch.flatMap(flatIssues));
  const nearest =
    branches.find((branch) => branch.some(({ path }) => path.length > 0)) ??
    branches.find((branch) => branch.some(({ code }) => ['too_big', 'too_small', 'custom'].includes(code)));
  return nearest === undefined ? [issue] : nearest.map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
}

/** What zod found wrong, without unions, and one more than are told. */
export const issuesOf = (error: z.ZodError): readonly Issue[] =>
  error.issues.flatMap(flatIssues).slice(0, mostProblems + 1);

/** What zod found wrong, one problem each; every unknown key by its own path. */
export function fieldProblems(base: string, error: z.ZodError): Problem[] {
  return issuesOf(error).flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, mostProblems + 1).map((key) => ({
        path: fieldPath(base, [...issue.path, key]),
        code: 'UNRECOGNIZED_KEY',
        message: 'is an unrecognized key',
      }));
    }
    const path = fieldPath(base, issue.path);
    if (issue.message === 'is required') return [{ path, code: 'REQUIRED', message: issue.message }];
    const code = issue.code === 'invalid_type' ? 'INVALID_TYPE' : 'INVALID_VALUE';
    return [{ path, code, message: wordsAt(issue, path) }];
  });
}
