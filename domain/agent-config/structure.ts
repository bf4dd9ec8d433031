import type { z } from 'zod';
import { mostProblems } from '../input/problem-limit.js';
import { isValidationCode, type ValidationCode } from './codes.js';
import type { Path, Report } from './problems.js';

type Issue = z.core.$ZodIssue;

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined,
    root,
  );
}

/** What a person calls the type that was expected. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

const typeName = (expected: string): string => typeNames[expected] ?? expected;

function rangeProblem(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): [ValidationCode, string] {
  if (issue.code === 'too_big') {
    return issue.origin === 'string'
      ? ['TOO_LONG', `has more than ${Number(issue.maximum)} characters`]
      : ['OUT_OF_RANGE', `is above ${Number(issue.maximum)}`];
  }
  // Texts with a least length are those that must say something.
  return issue.origin === 'string' ? ['REQUIRED', 'is empty'] : ['OUT_OF_RANGE', `is below ${Number(issue.minimum)}`];
}

function customProblem(issue: z.core.$ZodIssueCustom): [ValidationCode, string] {
  const code: unknown = issue.params?.code;
  return [isValidationCode(code) ? code : 'INVALID_VALUE', 'is blank'];
}

function problemOf(issue: Issue, value: unknown): [ValidationCode, string] {
  if (value === undefined) return ['REQUIRED', 'is missing'];
  switch (issue.code) {
    case 'invalid_type':
      return ['INVALID_TYPE', `is not ${typeName(issue.expected)}`];
    case 'invalid_value':
      return typeof value === 'string'
        ? ['INVALID_VALUE', `is not one of ${issue.values.map(String).join(', ')}`]
        : ['INVALID_TYPE', 'is not a text'];
    case 'too_big':
    case 'too_small':
      return rangeProblem(issue);
    case 'custom':
      return customProblem(issue);
    default:
      return ['INVALID_VALUE', 'is not a value that this field takes'];
  }
}

/** Reports everything a zod schema found wrong, in the codes of this API and with the path of each key. */
export function reportIssues(issues: readonly Issue[], root: unknown, report: Report): void {
  for (const issue of issues) {
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, mostProblems + 1)) {
        report([...path, key], 'UNRECOGNIZED_KEY', 'is not a field of this object');
      }
      continue;
    }
    const value = valueAt(root, path);
    // Reported while the config was prepared, with the reason.
    if (typeof value === 'number' && !Number.isFinite(value)) continue;
    report(path, ...problemOf(issue, value));
  }
}
