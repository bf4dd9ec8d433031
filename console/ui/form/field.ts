import { type Problem, Refused } from '../../api/refused.js';
import { valueAt, withValueAt } from './path.js';

interface Common<Path extends string> {
  /** Where in the request, such as `auth.username`. */
  readonly path: Path;
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
}

/** One field of a form, and how what is typed becomes a value of a request. */
export type Field<Path extends string = string> = Common<Path> &
  (
    | {
        readonly kind: 'text' | 'long' | 'number' | 'secret';
        /** Sent even if it is empty. */
        readonly isRequired?: boolean;
        /** What may be typed, of what can be typed. */
        readonly suggestions?: readonly string[];
        /** How many lines of a long text are seen. */
        readonly rows?: number;
      }
    /** A list, one entry a line; names with texts, `name: text` a line; anything, as JSON. */
    | { readonly kind: 'lines' | 'pairs' | 'json' }
    | { readonly kind: 'check'; /** What it is if it is left out. */ readonly isOnByDefault?: boolean }
    | { readonly kind: 'choice' | 'several'; readonly options: readonly Option[] }
  );

/** Something to choose. An empty value: nothing is sent. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

/** What the fields of a form hold, by their paths. */
export type Draft = Readonly<Record<string, string | boolean | readonly string[]>>;

/** What is wrong with a text before it is sent at all. */
class Unreadable extends Error {}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** What a field shows of a value. */
function shownOf(field: Field, value: unknown): Draft[string] {
  switch (field.kind) {
    case 'check':
      return value === undefined ? field.isOnByDefault === true : value === true;
    case 'several':
      return Array.isArray(value) ? value.map(String) : [];
    case 'lines':
      return Array.isArray(value) ? value.join('\n') : '';
    case 'pairs':
      return isObject(value)
        ? Object.entries(value)
            .map(([name, text]) => `${name}: ${String(text)}`)
            .join('\n')
        : '';
    case 'json':
      return isObject(value) && Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : '';
    case 'secret':
    case 'text':
    case 'long':
    case 'number':
    case 'choice':
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  }
}

/** What fields show of what there is; of nothing, for something new. */
export const draftOf = (fields: readonly Field[], resource: unknown = {}): Draft =>
  Object.fromEntries(fields.map((field) => [field.path, shownOf(field, valueAt(resource, field.path))]));

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function pairsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw new Unreadable(`“${line}” has no colon: write each line as name: value`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Unreadable(`is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

/**
 * The value that a field stands for; undefined: nothing. A number that is none goes to the API as it is, which says what is
 * wrong with it.
 *
 * @throws Unreadable
 */
function valueOf(field: Field, shown: Draft[string]): unknown {
  if (typeof shown === 'boolean') return shown;
  if (typeof shown !== 'string') return shown.length === 0 ? undefined : shown;
  const text = field.kind === 'long' || field.kind === 'secret' ? shown : shown.trim();
  if (text === '') return 'isRequired' in field && field.isRequired ? '' : undefined;
  switch (field.kind) {
    case 'number':
      return Number.isNaN(Number(text)) ? text : Number(text);
    case 'lines':
      return linesOf(text);
    case 'pairs':
      return pairsOf(text);
    case 'json':
      return jsonOf(text);
    default:
      return text;
  }
}

/** All values of a draft. @throws Refused with everything that cannot be read */
function valuesOf(
  fields: readonly Field[],
  draft: Draft,
): readonly { readonly field: Field; readonly value: unknown }[] {
  const problems: Problem[] = [];
  const values = fields.flatMap((field) => {
    try {
      return [{ field, value: valueOf(field, draft[field.path] ?? '') }];
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problems.push({ path: field.path, message: error.message });
      return [];
    }
  });
  if (problems.length > 0) throw new Refused(400, 'Some of what you typed cannot be read.', problems);
  return values;
}

const isDefault = (field: Field, value: unknown): boolean =>
  field.kind === 'check' && value === (field.isOnByDefault ?? false);

/**
 * What is asked for: what the fields hold, laid over what there is beside them. Empty fields, and those that hold their
 * default, are left out.
 *
 * @throws Refused with everything that cannot be read
 */
export const bodyOf = (fields: readonly Field[], draft: Draft, beside: unknown = {}): unknown =>
  valuesOf(fields, draft).reduce<unknown>(
    (body, { field, value }) => withValueAt(body, field.path, isDefault(field, value) ? undefined : value),
    beside,
  );

const rootOf = (path: string): string => /^[^.[]+/.exec(path)?.[0] ?? path;

/**
 * What differs from before, for a change: an emptied field is null, and of a group such as `auth` all is sent that it holds.
 *
 * @throws Refused with everything that cannot be read
 */
export function changeOf(fields: readonly Field[], before: Draft, after: Draft): Record<string, unknown> {
  const differs = ({ path }: Field) => JSON.stringify(before[path]) !== JSON.stringify(after[path]);
  const roots = new Set(fields.filter(differs).map(({ path }) => rootOf(path)));
  const touched = valuesOf(
    fields.filter(({ path }) => roots.has(rootOf(path))),
    after,
  );
  const none = Object.fromEntries([...roots].map((root) => [root, null]));
  return touched.reduce<Record<string, unknown>>(
    (body, { field: { path }, value }) =>
      value === undefined ? body : (withValueAt(body, path, value) as Record<string, unknown>),
    none,
  );
}

/** What is wrong with a field, or with what is in it. */
export function problemAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof Refused)) return undefined;
  const isIn = (at: string) => at === path || at.startsWith(`${path}[`) || at.startsWith(`${path}.`);
  const found = error.problems.filter((problem) => isIn(problem.path)).map(({ message }) => message);
  return found.length === 0 ? undefined : found.join('; ');
}

/** The paths of those problems that stand at one of the fields. */
export const pathsShown = (error: unknown, fields: readonly Field[]): readonly string[] =>
  error instanceof Refused
    ? error.problems
        .map(({ path }) => path)
        .filter((at) =>
          fields.some(({ path }) => at === path || at.startsWith(`${path}[`) || at.startsWith(`${path}.`)),
        )
    : [];
