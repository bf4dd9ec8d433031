/** One thing that the service says is wrong with a request. */
export interface Problem {
  /** Where in the request, such as `retry.retryDelays[0]`; empty: the request as a whole. */
  readonly path: string;
  readonly message: string;
  /** Which rule, of problems with an agent's config: docs/validation-codes.md lists them. */
  readonly code?: string;
}

/** A request that has not been granted, or that nothing has answered. */
export class OutdialError extends Error {
  override readonly name = 'OutdialError';

  constructor(
    message: string,
    /** HTTP status; 0: there was no answer, and `cause` says why. */
    readonly status: number,
    /** Every field's problem; empty if the request as a whole was refused. */
    readonly problems: readonly Problem[] = [],
    /** By which the service's logs name the request. */
    readonly requestId: string | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** `<path>: <text>`, or path, code and message apart */
function problemOf(listed: unknown): Problem[] {
  if (isObject(listed) && typeof listed.path === 'string' && typeof listed.message === 'string') {
    const code = typeof listed.code === 'string' ? { code: listed.code } : {};
    return [{ path: listed.path, message: listed.message, ...code }];
  }
  if (typeof listed !== 'string') return [];
  const at = listed.indexOf(': ');
  return [at === -1 ? { path: '', message: listed } : { path: listed.slice(0, at), message: listed.slice(at + 2) }];
}

/** What an answer other than a success says. Each family of operations has a shape of its own; all are read here. */
export function errorOfAnswer(response: Pick<Response, 'status' | 'headers'>, body: unknown): OutdialError {
  const fields = isObject(body) ? body : {};
  const words = [fields.error, fields.message].find((each) => typeof each === 'string');
  const problems = Array.isArray(fields.errors) ? fields.errors.flatMap(problemOf) : [];
  const named = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  const sentence = words ?? (problems.length > 0 ? 'The request is not valid' : `Status ${response.status}`);
  const message = named === '' || sentence.includes(named) ? sentence : `${sentence}: ${named}`;
  return new OutdialError(message, response.status, problems, response.headers.get('x-request-id'));
}

/** @throws OutdialError for a success that is a page to look at: no operation answers one */
export function refusePage({ ok, status, url, headers }: Response): void {
  if (!ok || headers.get('content-type')?.startsWith('text/html') !== true) return;
  throw new OutdialError(`What answers at ${url} is no Outdial. Check the address.`, status);
}

/** What becomes of a request that nothing answered; of one that its caller gave up, the reason that the caller gave. */
export function errorWithoutAnswer(cause: unknown, { signal }: Pick<Request, 'signal'>): unknown {
  if (signal.aborted) return signal.reason;
  return new OutdialError('The service does not answer.', 0, [], null, { cause });
}
