import { looksMasked } from '../../../domain/agent/masked-key.js';

/** What two configs do not have in common, at one place. */
export interface Difference {
  /** Such as `languages.english.llm.0.model`. */
  readonly path: string;
  /** Omitted: the first one has nothing there. */
  readonly before?: unknown;
  /** Omitted: the second one has nothing there. */
  readonly after?: unknown;
}

/**
 * The places at which two values of JSON differ, in the order of the first. A key that the service shows masked is taken as
 * the same as any other key: it cannot be told.
 */
export function differencesOf(before: unknown, after: unknown, path = ''): Difference[] {
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const [first, second] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    const names = [...new Set([...first.keys(), ...second.keys()])];
    return names.flatMap((name) =>
      differencesOf(first.get(name), second.get(name), path === '' ? name : `${path}.${name}`),
    );
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (typeof before === 'string' && typeof after === 'string' && looksMasked(before)) return [];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;
