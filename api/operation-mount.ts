import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Failure, type Problem } from '../domain/errors.js';
import { shapeProblem } from '../domain/input/json-shape.js';
import type { Place } from '../platform/turns.js';
import { takeBodyTurn, takeUpload } from './file-turns.js';
import type { AppDeps, Caller, ErrorFamily, Operation, Responses } from './operation.js';
import { errorSchema } from './plugins/errors.js';
import { logWith, subjectsOfRequest } from './plugins/request-log.js';
import { noteForSpans } from './plugins/request-spans.js';
import { limitOperation } from './plugins/operation-limit.js';
import { endWithToken } from './plugins/standing.js';
import { invalidRequest, parseWith, readJson, type Parsed } from './validation.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Family of the operation's errors; omitted if the route is not an operation. */
    family?: ErrorFamily;
    operation?: Operation;
  }
  interface FastifyRequest {
    /** Set once the token has been verified. */
    caller?: Caller;
    /** What an upload takes while it is read and stored. */
    uploadPlace?: Place;
  }
}

const multipart = 'multipart/form-data';
/** Body of an operation that takes none: a client that sends a field expects it to do something. */
const noFields = z.strictObject({});
const hasBody = ({ method }: Operation): boolean => method !== 'GET';

/** Statuses of failures that follow from what an operation is; it declares only the others. */
function failureStatuses({ schema, method, url, idempotent }: Operation): number[] {
  const statuses = [401, 403, 429, 500, 503, ...(schema.errors ?? [])];
  if (schema.query !== undefined || method !== 'GET') statuses.push(400);
  if (method !== 'GET') statuses.push(413, 415);
  if (url.includes('/:')) statuses.push(404);
  if (idempotent === true) statuses.push(409, 422);
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** Every status that an operation may answer with, each with the schema of its body. */
export function responsesOf(operation: Operation): Responses {
  const responses: Record<number, z.ZodType> = {};
  for (const status of failureStatuses(operation)) responses[status] = errorSchema(operation.family, status);
  return { ...responses, ...operation.schema.response };
}

const sentType = (request: FastifyRequest): string | undefined =>
  request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();

/** Smaller bodies take a few milliseconds, however many an account may send in a second. */
const largeBodyBytes = 32_768;

/** Whether a JSON body is large, or does not say how large it is. */
const hasLargeJson = (request: FastifyRequest): boolean =>
  sentType(request) !== multipart &&
  (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > largeBodyBytes);

function requireContentType(request: FastifyRequest, operation: Operation): void {
  const sent = sentType(request);
  const { contentType = 'application/json', form } = operation.schema.documentedBody ?? {};
  const taken = form === undefined ? [contentType] : [contentType, multipart];
  if (taken.some((wanted) => (wanted === multipart) === (sent === multipart))) return;
  throw new Failure('unsupported_media_type', `The Content-Type must be ${taken.join(' or ')}`);
}

type Part = 'params' | 'query' | 'body';

/** Reads one part of a request; collects what is wrong with it. */
function readPart(parsed: Parsed<unknown>, part: Part, found: { part: Part; problem: Problem }[]): unknown {
  if ('value' in parsed) return parsed.value;
  for (const problem of parsed.problems) found.push({ part, problem });
  return undefined;
}

/** @throws Failure `invalid` for JSON that is larger in some direction than anything the operation reads */
function requireShape({ body, query }: FastifyRequest, { mostEntries, mostValues }: Operation): void {
  const ofBody = shapeProblem(body, {
    ...(mostEntries === undefined ? {} : { mostEntries }),
    ...(mostValues === undefined ? {} : { mostValues }),
  });
  if (ofBody !== null) throw invalidRequest([ofBody]);
  const ofQuery = shapeProblem(query);
  if (ofQuery !== null) throw invalidRequest([ofQuery], 'query');
}

function parseRequest(request: FastifyRequest, operation: Operation, deps: AppDeps) {
  const { params, query, body, documentedBody } = operation.schema;
  const found: { part: Part; problem: Problem }[] = [];
  const anything = z.unknown();
  const parsed = {
    params: readPart(parseWith(params ?? anything, request.params), 'params', found),
    query: readPart(parseWith(query ?? anything, request.query), 'query', found),
    body: undefined as unknown,
  };
  if (hasBody(operation) && documentedBody === undefined) {
    const json = readJson(request.body, { clearing: operation.method === 'PATCH' });
    parsed.body = readPart('value' in json ? parseWith(body ?? noFields, json.value) : json, 'body', found);
    const known = new Set(found.map(({ problem }) => problem.path));
    const more = 'value' in json ? (operation.schema.bodyProblems?.(json.value, deps) ?? []) : [];
    for (const problem of more) if (!known.has(problem.path)) found.push({ part: 'body', problem });
  }
  if (found.length > 0) {
    const inBody = found.some(({ part }) => part === 'body');
    throw invalidRequest(
      found.map(({ problem }) => problem),
      inBody ? undefined : 'query',
    );
  }
  return parsed;
}

/** Makes an operation a route: token, limits, validation, handler, checked answer. */
export function mountOperation(
  app: FastifyInstance,
  operation: Operation,
  deps: AppDeps,
  authenticate: (request: FastifyRequest, reply: FastifyReply, operation: Operation) => Promise<Caller>,
): void {
  const { method, url, schema, family, tag, bodyLimit } = operation;
  const limit = limitOperation(app, operation);
  app.route({
    method,
    url,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    config: { family, operation },
    schema: {
      summary: schema.summary,
      ...(schema.description === undefined ? {} : { description: schema.description }),
      tags: [tag],
      ...(schema.params === undefined ? {} : { params: schema.params }),
      ...(schema.query === undefined ? {} : { querystring: schema.query }),
      ...(schema.body === undefined ? {} : { body: schema.body }),
      response: responsesOf(operation),
    },
    onRequest: async (request, reply) => {
      // Answers hold tokens, numbers and what was said: no cache between here and the client may keep them.
      reply.header('cache-control', 'no-store');
      request.caller = await authenticate(request, reply, operation);
      logWith(request, reply, { accountId: request.caller.accountId });
      await limit?.(request, reply);
    },
    preParsing: async (request, reply) => {
      if (!hasBody(operation)) return;
      requireContentType(request, operation);
      if (request.caller !== undefined && hasLargeJson(request)) {
        await takeBodyTurn(request.caller.accountId, new Promise((over) => finished(reply.raw, over)));
      }
    },
    handler: async (request, reply) => {
      const { caller } = request;
      if (caller === undefined) throw new Error(`${method} ${url} was reached without a token.`);
      const about = subjectsOfRequest(request.params, null);
      logWith(request, reply, about);
      requireShape(request, operation);
      const parsed = parseRequest(request, operation, deps);
      const handle = () => operation.handler({ ...parsed, caller, route: `${method} ${url}`, raw: request }, deps);
      const handleUpload = (place: Place) => {
        request.uploadPlace = place;
        return handle();
      };
      const answer = await (sentType(request) === multipart ? takeUpload(caller.accountId, handleUpload) : handle());
      if (answer.body instanceof Readable) endWithToken(answer.body, caller, deps);
      noteForSpans(request, deps, parsed.params, answer.body);
      if (Object.keys(about).length === 0) logWith(request, reply, subjectsOfRequest(null, answer.body));
      return reply
        .code(answer.status)
        .headers({ ...answer.headers })
        .send(answer.body);
    },
  });
}
