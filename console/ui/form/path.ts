/** Part of a request: fields by name, lines of a list by number. */
type Container = Record<string, unknown>;

/** `languages.english.llm[0].model` → its steps. */
const stepsOf = (path: string): readonly string[] => path.match(/[^.[\]]+/g) ?? [];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** What an answer has at a path; undefined: nothing. */
export const valueAt = (whole: unknown, path: string): unknown =>
  stepsOf(path).reduce<unknown>((part, step) => (isContainer(part) ? part[step] : undefined), whole);

const isEmpty = (value: unknown): boolean => isContainer(value) && Object.keys(value).length === 0;

function changed(part: unknown, steps: readonly string[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const isIndex = /^\d+$/.test(step);
  const before: Container = isContainer(part) ? part : {};
  const next = changed(before[step], rest, value);
  const others = Object.entries(before).filter(([name]) => name !== step);
  const isLeft = next === undefined || (rest.length > 0 && isEmpty(next));
  const entries: [string, unknown][] = isLeft ? others : [...others, [step, next]];
  if (isIndex || Array.isArray(part)) return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, each]) => each);
  // In the order that it had: whoever compares two texts sees what was changed alone.
  const names = Object.keys(before);
  return Object.fromEntries(
    names.includes(step) ? entries.sort(([a], [b]) => names.indexOf(a) - names.indexOf(b)) : entries,
  );
}

/**
 * The same request with another value at a path. Undefined takes it away, with whatever holds nothing without it.
 *
 * @param whole is not changed
 */
export const withValueAt = (whole: unknown, path: string, value: unknown): unknown =>
  changed(whole, stepsOf(path), value);
