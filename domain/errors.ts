/** Why an operation was refused, in the terms of the domain; api/plugins/errors.ts turns it into a status and a body. */
export type FailureKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unprocessable'
  | 'too_many_requests'
  | 'unavailable';

/** One thing wrong with a request: where (dotted path as the client sent it), which rule, and how to correct it. */
export interface Problem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Problems as part of a sentence. */
export const wordsOfProblems = (problems: readonly Problem[]): string =>
  problems.map(({ path, message }) => `${path} ${message}`).join('; ');

/** `query`: the address rather than the body; `token`: what the caller's token does not allow. */
export type FailureSubject = 'routing-rule' | 'query' | 'token';

export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly problems: readonly Problem[] = [],
    /** Seconds after which trying again makes sense, for `unavailable` and `too_many_requests`. */
    readonly retryAfterSeconds?: number,
    /** What the failure is about, if the shape of the answer depends on it. */
    readonly subject?: FailureSubject,
  ) {
    super(message);
  }
}

export const notFound = (message: string, subject?: FailureSubject): Failure =>
  new Failure('not_found', message, [], undefined, subject);
export const conflict = (message: string): Failure => new Failure('conflict', message);
export const forbidden = (message: string): Failure => new Failure('forbidden', message);
export const unauthorized = (message: string): Failure => new Failure('unauthorized', message);
export const tooLarge = (message: string, problems: readonly Problem[] = []): Failure =>
  new Failure('too_large', message, problems);
export const invalid = (message: string, problems: readonly Problem[] = []): Failure =>
  new Failure('invalid', message, problems);
export const unavailable = (message: string, retryAfterSeconds = 1): Failure =>
  new Failure('unavailable', message, [], retryAfterSeconds);
