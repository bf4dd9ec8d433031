import { Failure, type Problem } from '../../domain/errors.js';
import type { Operation } from '../operation.js';
import { bodyOf } from './errors.js';

const invalidField: Problem = { path: 'name', code: 'REQUIRED', message: 'is required' };
const invalidConfig: Problem = {
  path: 'languages.english.tts[0].voice',
  code: 'UNKNOWN_VOICE',
  message: 'is not a voice of this model',
};
const invalidPage: Problem = { path: 'perPage', code: 'OUT_OF_RANGE', message: 'must be at most 100' };
const largeFile: Problem = { path: 'file', code: 'TOO_LONG', message: 'must be at most 5 MB' };

/** `Batch calls` → `Batch call` */
const singular = (tag: string): string => tag.replace(/s$/, '');

const takesForm = ({ schema }: Operation): boolean => schema.documentedBody?.contentType === 'multipart/form-data';

function invalidExample(operation: Operation, field: string | undefined): Failure {
  const { method, family, schema } = operation;
  if (method === 'GET') return new Failure('invalid', 'The request is not valid', [invalidPage], undefined, 'query');
  if (family === 'agents' && schema.documentedBody !== undefined && !takesForm(operation)) {
    return new Failure('invalid', 'The request is not valid', [invalidConfig]);
  }
  const problem =
    field === undefined ? { path: 'colour', code: 'UNRECOGNIZED_KEY', message: 'is not a known field' } : invalidField;
  return new Failure('invalid', 'The request is not valid', [{ ...problem, path: field ?? problem.path }]);
}

function failureOf(operation: Operation, status: number, field: string | undefined): Failure {
  switch (status) {
    case 400:
      return invalidExample(operation, field);
    case 401:
      return new Failure('unauthorized', 'The Authorization header is missing.');
    case 403:
      return new Failure('forbidden', 'This API token does not allow the operation.', [], undefined, 'token');
    case 404:
      return new Failure('not_found', `${singular(operation.tag)} not found`);
    case 409:
      return new Failure(
        'conflict',
        `The present state of the ${singular(operation.tag).toLowerCase()} does not allow it`,
      );
    case 413:
      return new Failure('too_large', 'The request body is too large', takesForm(operation) ? [largeFile] : []);
    case 415:
      return new Failure(
        'unsupported_media_type',
        `The Content-Type must be ${takesForm(operation) ? 'multipart/form-data' : 'application/json'}`,
      );
    case 422:
      return new Failure('unprocessable', 'This Idempotency-Key was used with another request');
    case 429:
      return new Failure('too_many_requests', 'Too many requests: slow down');
    case 503:
      return new Failure('unavailable', 'The service cannot reach its database right now. Try again.');
    default:
      return new Failure('invalid', 'Something went wrong on our side. The x-request-id header names this request.');
  }
}

/**
 * What a failed request is answered, for the reference: made by the code that answers failures, so that its shape is theirs.
 *
 * @param field a field that the operation's body must have, for the example of a 400
 */
export const errorExample = (operation: Operation, status: number, field: string | undefined): object =>
  bodyOf(failureOf(operation, status, field), operation.family, takesForm(operation));
