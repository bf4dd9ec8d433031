import type { Problem } from '../errors.js';

/** What a JSON value may be before anything of it is read. */
export interface ShapeLimits {
  /** Most entries of one array; default 1,000. */
  readonly mostEntries?: number;
  /** Most values in the whole; default 20,000, or twice `mostEntries`. */
  readonly mostValues?: number;
}

const mostEntriesByDefault = 1_000;
/** Most fields of one object: a row of a spreadsheet has at most 200 columns. */
export const mostKeys = 500;
/** Most values in the whole: the largest config of an agent has a few thousand. */
const mostValuesByDefault = 20_000;
const longestKey = 1_024;
/** Deeper than any body of ours. */
export const deepest = 64;

/** A field's name, or an index. */
export type Step = string | number;

/** A value that is still to be looked at, and how it was reached. */
interface Visit {
  readonly value: object;
  readonly depth: number;
  readonly step: Step | null;
  readonly parent: Visit | null;
}

/** How much of a path an answer shows: enough to find the place. */
const stepsShown = 8;

/** `['languages', 0, 'name']` → `languages[0].name`, its beginning only. */
export const shownPath = (steps: readonly Step[]): string =>
  steps
    .slice(0, stepsShown)
    .reduce<string>(
      (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
      '',
    );

function pathOf(visit: Visit): string {
  const steps: Step[] = [];
  for (let at: Visit | null = visit; at !== null; at = at.parent) if (at.step !== null) steps.push(at.step);
  return shownPath(steps.toReversed());
}

/** The limits with the defaults of those that are not set. */
export const shapeLimits = ({
  mostEntries = mostEntriesByDefault,
  mostValues,
}: ShapeLimits): Required<ShapeLimits> => ({
  mostEntries,
  mostValues: mostValues ?? Math.max(mostValuesByDefault, 2 * mostEntries),
});

// These have a meaning in JavaScript: what copies them into an object may change that object's prototype.
const isPoisonous = (key: string, child: unknown): boolean =>
  key === '__proto__' ||
  (key === 'constructor' && typeof child === 'object' && child !== null && Object.hasOwn(child, 'prototype'));

function keyProblem(holder: object, keys: readonly string[]): readonly [code: string, message: string] | null {
  if (keys.length > mostKeys) return ['OUT_OF_RANGE', `must have at most ${mostKeys} fields, and has ${keys.length}`];
  if (keys.some((key) => key.length > longestKey)) {
    return ['TOO_LONG', `must have names of fields of at most ${longestKey} characters`];
  }
  const poisonous = keys.find((key) => isPoisonous(key, Reflect.get(holder, key)));
  return poisonous === undefined ? null : ['INVALID_VALUE', `must not have a field named ${poisonous}`];
}

/**
 * Why a JSON value is larger in some direction than anything the service reads, or null. Looks at each value at most once
 * and stops at the first reason, so that what is checked and collected afterwards is bounded, whatever a client sends.
 */
export function shapeProblem(root: unknown, limits: ShapeLimits = {}): Problem | null {
  if (typeof root !== 'object' || root === null) return null;
  const { mostEntries, mostValues } = shapeLimits(limits);
  const waiting: Visit[] = [{ value: root, depth: 0, step: null, parent: null }];
  let seen = 0;
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    const { value, depth } = visit;
    const wrong = (code: string, message: string): Problem => ({ path: pathOf(visit), code, message });
    if (depth >= deepest) return wrong('INVALID_VALUE', `is nested over ${deepest} deep`);
    const children = Array.isArray(value) ? value : null;
    if (children !== null && children.length > mostEntries) {
      return wrong('OUT_OF_RANGE', `must have at most ${mostEntries} entries, and has ${children.length}`);
    }
    const keys = children === null ? Object.keys(value) : [];
    const problem = keyProblem(value, keys);
    if (problem !== null) return wrong(...problem);
    seen += children?.length ?? keys.length;
    if (seen > mostValues) {
      return { path: '', code: 'OUT_OF_RANGE', message: `must have at most ${mostValues} values in all` };
    }
    const add = (step: Step, child: unknown) => {
      if (typeof child === 'object' && child !== null) {
        waiting.push({ value: child, depth: depth + 1, step, parent: visit });
      }
    };
    if (children !== null) children.forEach((child: unknown, index) => add(index, child));
    else for (const key of keys) add(key, Reflect.get(value, key));
  }
  return null;
}
