import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Failure, invalid, notFound, tooLarge, unavailable, type FailureKind } from '../../domain/errors.js';
import { cutText, limitProblems } from '../../domain/input/problem-limit.js';
import { InvalidToken } from '../../platform/token.js';
import type { ErrorFamily } from '../operation.js';
import { problemLine } from '../validation.js';
import { isDatabaseTrouble } from './database-trouble.js';
import { failureForUnknown } from './unknown-routes.js';

const statusOf: Readonly<Record<FailureKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  too_many_requests: 429,
  unavailable: 503,
};

const isFailureKind = (text: string): text is FailureKind => Object.hasOwn(statusOf, text);

const error = z.string().describe('What went wrong');
const errors = z.array(z.string()).describe('Every problem: `<path>: <text>`');
const ErrorBody = z.strictObject({ error }).meta({ id: 'Error' });
const AccountError = z.strictObject({ error, errors: errors.optional() }).meta({ id: 'AccountError' });
const MessageBody = z.strictObject({ message: error, errors: errors.optional() }).meta({ id: 'MessageError' });
const AgentProblems = z
  .strictObject({
    status: z.literal('error').describe('Always error'),
    errors: z
      .array(
        z.strictObject({
          path: z.string().describe('Where in the body, such as languages.english.tts[0].voice'),
          code: z.string().describe('Which rule; docs/validation-codes.md lists them'),
          message: z.string().describe('What is wrong, as a sentence'),
        }),
      )
      .describe('Every problem, sorted by path'),
  })
  .meta({ id: 'AgentConfigError' });

/** Schema of an error's body, for the reference and for the check that answers match it. */
export function errorSchema(family: ErrorFamily, status: number): z.ZodType {
  if (status === 401) return ErrorBody;
  if (family === 'sip') return status === 403 ? z.union([MessageBody, ErrorBody]) : MessageBody;
  if (family === 'account') return AccountError;
  if (family === 'agents') return status === 400 ? z.union([AgentProblems, ErrorBody]) : ErrorBody;
  return status === 400 || status === 404 || status === 413 ? z.union([MessageBody, ErrorBody]) : ErrorBody;
}

const listedIn = (failure: Failure) => failure.problems.map(problemLine);
/** For families whose errors are one text: the problems belong in it, or the client would never see them. */
const inOneText = (failure: Failure): string =>
  failure.problems.length === 0 ? failure.message : listedIn(failure).join('; ');

/**
 * The body of a failure by family (docs/conformance.md, Errors).
 *
 * @param form whether the request was a form, or JSON that says the same: only those of the batch family list their problems
 */
export function bodyOf(thrown: Failure, family: ErrorFamily, form: boolean): object {
  const { kind, subject } = thrown;
  const failure = new Failure(kind, cutText(thrown.message), limitProblems(thrown.problems), undefined, subject);
  // The token is judged before any operation is: its failures look the same everywhere.
  if (failure.kind === 'unauthorized' || failure.subject === 'token') return { error: failure.message };
  const hasProblems = failure.problems.length > 0;
  const withErrors = hasProblems ? { errors: listedIn(failure) } : {};
  switch (family) {
    case 'sip':
      return { message: failure.message, ...withErrors };
    case 'account':
      return { error: failure.message, ...withErrors };
    case 'agents':
      return failure.kind === 'invalid' && hasProblems && failure.subject !== 'query'
        ? { status: 'error', errors: failure.problems.map(({ path, code, message }) => ({ path, code, message })) }
        : { error: inOneText(failure) };
    case 'batch-calls':
      if (form && hasProblems) return { message: failure.message, ...withErrors };
      if (failure.kind === 'not_found' && failure.subject !== 'routing-rule') return { message: failure.message };
      return { error: inOneText(failure) };
  }
}

const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';

/** A refusal of Fastify that has no words of ours: its status says that the request is at fault. */
function refusedByFastify(cause: unknown): Failure | null {
  const status = cause instanceof Error && 'statusCode' in cause ? cause.statusCode : null;
  if (!codeOf(cause).startsWith('FST_ERR_') || typeof status !== 'number' || status < 400 || status > 499) return null;
  const [kind = 'invalid'] = Object.entries(statusOf).find(([, known]) => known === status) ?? [];
  return new Failure(isFailureKind(kind) ? kind : 'invalid', 'The request cannot be read');
}

/** What Fastify and its plugins throw before a handler runs, and what Postgres does, in the terms of the domain. */
function failureFor(cause: unknown): Failure | null {
  if (cause instanceof Failure) return cause;
  if (cause instanceof InvalidToken) return new Failure('unauthorized', cause.message);
  if (isDatabaseTrouble(cause)) return unavailable('The service cannot reach its database right now. Try again.', 2);
  switch (codeOf(cause)) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge('The request body is too large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Failure('unsupported_media_type', 'The Content-Type is not one that this operation takes');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid('The body does not have the length that Content-Length says');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return invalid('The body is not valid JSON');
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new Failure('unsupported_media_type', 'The Content-Type is missing');
    case 'FST_ERR_BAD_URL':
      return invalid('The address is not a valid URL');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      // No id and no number is as long.
      return notFound('No id is that long');
    default:
      return refusedByFastify(cause);
  }
}

const familyOfUrl = (url: string): ErrorFamily => (url.startsWith('/v2/sip') ? 'sip' : 'account');

/** Answers with a failure in the shape of the operation's family; used for what never reached an operation, too. */
export function sendFailure(cause: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const family = request.routeOptions.config.family ?? familyOfUrl(request.url);
  // Fastify asks for a type of methods that none of our operations has, such as QUERY.
  const unknown = codeOf(cause) === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE';
  const failure = unknown ? failureForUnknown(request, reply) : failureFor(cause);
  if (failure === null) {
    request.log.error({ err: cause }, 'a request failed because of an internal error');
    const words = 'Something went wrong on our side. The x-request-id header names this request.';
    return reply.code(500).send(family === 'sip' ? { message: words } : { error: words });
  }
  if (failure.kind === 'unavailable') request.log.warn({ err: cause }, 'a request could not be served right now');
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', String(failure.retryAfterSeconds));
  const form =
    request.headers['content-type']?.startsWith('multipart/') === true ||
    request.routeOptions.config.operation?.schema.documentedBody?.form !== undefined;
  return reply.code(statusOf[failure.kind]).send(bodyOf(failure, family, form));
}

/** The one place where failures become answers. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((cause, request, reply) => sendFailure(cause, request, reply));
  app.setNotFoundHandler((request, reply) => sendFailure(failureForUnknown(request, reply), request, reply));
}
