import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure, invalid } from '../../domain/errors.js';
import { shapeProblemOfText } from '../../domain/input/json-text-shape.js';
import { placeOfJsonFault } from '../../platform/json-place.js';
import { invalidRequest } from '../validation.js';

/** Some clients begin a file of JSON with one. */
const byteOrderMark = '\u{feff}';

const compressed = 'The body must not be compressed: send it as it is, without the header Content-Encoding';

function malformed(text: string): Failure {
  const place = placeOfJsonFault(text);
  const message = `is not valid JSON${place === null ? '' : ` (${place})`}`;
  return invalid(`The body ${message}`, [{ path: '', code: 'INVALID_JSON', message }]);
}

/** A body's JSON. @throws Failure `invalid` for JSON that is larger in some direction than anything its operation reads */
function readBody(sent: Buffer, { routeOptions: { config } }: FastifyRequest): unknown {
  const problem = shapeProblemOfText(sent, config.operation);
  if (problem !== null) throw invalidRequest([problem]);
  const text = sent.toString();
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  } catch {
    throw malformed(text);
  }
}

/**
 * What a request's body may be. JSON with nothing in it is `{}` (Fastify refuses that by itself), malformed JSON is a problem
 * of the request like any other, and an empty body of whatever type (`curl -X POST -d ''`) is no body. How large a value
 * may be in each direction is judged by its text, before anything is made of it; names of fields by operation-mount.ts.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() === 'identity') done();
    else done(new Failure('unsupported_media_type', compressed));
  });
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, sent, done) => {
    try {
      done(null, sent.length === 0 ? {} : readBody(sent, request));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  // A form is read by the operation that takes it, as a stream; operation-mount.ts refuses it everywhere else.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  app.addContentTypeParser('*', (request, _payload, done) => {
    if (request.headers['content-length'] === '0') done(null, {});
    else done(new Failure('unsupported_media_type', 'The Content-Type must be application/json'));
  });
}
