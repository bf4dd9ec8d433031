/** One thing that the API says is wrong with a request. */
export interface Problem {
  /** Where in the request, such as `retry.retryDelays[0]`; empty: the request as a whole. */
  readonly path: string;
  readonly message: string;
}

/** A request that the API has not granted, in the API's words. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    /** HTTP status; 0: there was no answer. */
    readonly status: number,
    message: string,
    readonly problems: readonly Problem[] = [],
  ) {
    super(message);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A problem as the API lists it: `<path>: <text>`, or path and message apart. */
function problemOf(listed: unknown): Problem | null {
  if (isObject(listed) && typeof listed.path === 'string' && typeof listed.message === 'string') {
    return { path: listed.path, message: listed.message };
  }
  if (typeof listed !== 'string') return null;
  const at = listed.indexOf(': ');
  return at === -1 ? { path: '', message: listed } : { path: listed.slice(0, at), message: listed.slice(at + 2) };
}

/** Where one problem ends and the next begins in a text that names them all: `name: is required; retry.retryOn[0]: …`. */
const nextProblem = /; (?=[A-Za-z][\w.[\]]*: )/;
const isProblem = /^[A-Za-z][\w.[\]]*: ./;

/** The problems that one text names, each with its path; none if it is a sentence. */
function problemsIn(words: string | undefined): readonly Problem[] {
  const parts = words?.split(nextProblem) ?? [];
  return parts.every((part) => isProblem.test(part)) ? parts.flatMap((part) => problemOf(part) ?? []) : [];
}

/**
 * What an answer says that is no success. The API has a shape for each family of operations; all of them are read here.
 *
 * @param body the answer as JSON, or anything else if a proxy has answered
 */
export function refusal(status: number, body: unknown): Refused {
  if (!isObject(body)) return new Refused(status, `The service answered with status ${status} and no message.`);
  const [words] = [body.error, body.message].filter((each) => typeof each === 'string');
  if (!Array.isArray(body.errors)) {
    const problems = status === 400 ? problemsIn(words) : [];
    if (problems.length > 0) return new Refused(status, 'Some of what was sent is not valid.', problems);
  }
  const problems = Array.isArray(body.errors) ? body.errors.flatMap((listed) => problemOf(listed) ?? []) : [];
  return new Refused(status, words ?? 'The request is not valid.', problems);
}

/** The words of whatever went wrong, for a person. */
export const wordsOf = (error: unknown): string =>
  error instanceof Refused ? error.message : 'Something went wrong on this page. Reload it.';

/** Everything that the API says is wrong with a request; nothing if that is not why it failed. */
export const problemsOf = (error: unknown): readonly Problem[] => (error instanceof Refused ? error.problems : []);

/** What the API says is wrong with a field, or with what is in it. */
export function problemAt(error: unknown, ...paths: readonly string[]): string | undefined {
  if (!(error instanceof Refused)) return undefined;
  const isAt = (path: string) => paths.some((own) => path === own || path.startsWith(`${own}[`));
  const found = error.problems.filter(({ path }) => isAt(path)).map(({ message }) => message);
  return found.length === 0 ? undefined : found.join('; ');
}

/** What is wrong at one of these paths of a request; undefined: nothing. */
export function wordsAt(problems: readonly Problem[], ...paths: readonly string[]): string | undefined {
  const found = problems.filter(({ path }) => paths.includes(path)).map(({ message }) => message);
  return found.length === 0 ? undefined : found.join('; ');
}
