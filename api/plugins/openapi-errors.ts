import { Failure, type Problem } from '../../domain/errors.js';
import type { ErrorFamily, Operation } from '../operation.js';
import { bodyOf } from './errors.js';

interface Family {
  /** Begins the names of its answers. */
  readonly prefix: string;
  readonly subject: string;
  readonly problem: Problem;
}

const families: Readonly<Record<ErrorFamily, Family>> = {
  agents: {
    prefix: 'Agent',
    subject: 'Agent',
    problem: {
      path: 'languages.english.tts[0].voice',
      code: 'UNKNOWN_VOICE',
      message: 'is not a voice of this model',
    },
  },
  'batch-calls': {
    prefix: 'BatchCall',
    subject: 'Batch call',
    problem: { path: 'phoneNumberId', code: 'REQUIRED', message: 'is required' },
  },
  sip: {
    prefix: 'Sip',
    subject: 'Call',
    problem: { path: 'sipCallTo', code: 'REQUIRED', message: 'is required' },
  },
  account: {
    prefix: 'Account',
    subject: 'API key',
    problem: { path: 'name', code: 'REQUIRED', message: 'is required' },
  },
};

interface Described {
  readonly meaning: string;
  readonly failure: (family: Family) => Failure;
}

/** Every status of a failure, or range of them, as the reference describes it. */
const failures: Readonly<Record<string, Described>> = {
  400: {
    meaning: 'The request is not valid. Every problem is named.',
    failure: ({ problem }) => new Failure('invalid', 'The request is not valid', [problem]),
  },
  401: {
    meaning: 'The token is missing or not valid.',
    failure: () => new Failure('unauthorized', 'The Authorization header is missing.'),
  },
  403: {
    meaning: 'Not allowed.',
    failure: () => new Failure('forbidden', 'This API token does not allow the operation.', [], undefined, 'token'),
  },
  404: {
    meaning: 'No such resource on this account.',
    failure: ({ subject }) => new Failure('not_found', `${subject} not found`),
  },
  409: {
    meaning: 'Conflict with the current state, or a request with this Idempotency-Key is still running.',
    failure: () => new Failure('conflict', 'The present state does not allow it'),
  },
  413: {
    meaning: 'The body or the file is too large.',
    failure: () => new Failure('too_large', 'The request body is too large'),
  },
  415: {
    meaning: 'The operation does not take this Content-Type.',
    failure: () => new Failure('unsupported_media_type', 'The Content-Type must be application/json'),
  },
  422: {
    meaning: 'The Idempotency-Key was used with another request.',
    failure: () => new Failure('unprocessable', 'This Idempotency-Key was used with another request'),
  },
  429: {
    meaning: 'Too many requests: wait for Retry-After seconds.',
    failure: () => new Failure('too_many_requests', 'Too many requests: slow down'),
  },
  '5XX': {
    meaning: 'Something went wrong on our side; 503: not available now, try again after Retry-After seconds.',
    failure: () => new Failure('unavailable', 'The service cannot reach its database right now. Try again.'),
  },
};

export interface FailureResponse {
  /** Of the component that describes it. */
  readonly name: string;
  readonly description: string;
  /** Made by the code that answers failures, so that its shape is theirs. */
  readonly example: object;
}

/**
 * What a failed request is answered, for the reference.
 *
 * @param shared whether every family answers it with the same body
 */
export function failureResponse({ family }: Operation, status: string, shared: boolean): FailureResponse {
  const described = failures[status];
  if (described === undefined) throw new Error(`The reference has no words for status ${status}.`);
  const { meaning, failure } = described;
  return {
    name: `${shared ? 'Error' : families[family].prefix}${status}`,
    description: meaning,
    example: bodyOf(failure(families[family]), family, family === 'batch-calls'),
  };
}
