import type { FastifyInstance } from 'fastify';
import { Failure, invalid } from '../../domain/errors.js';
import { placeOfJsonFault } from '../../platform/json-place.js';

/** Some clients begin a file of JSON with one. */
const byteOrderMark = '\u{feff}';

function malformed(text: string): Failure {
  const place = placeOfJsonFault(text);
  const message = `is not valid JSON${place === null ? '' : ` (${place})`}`;
  return invalid(`The body ${message}`, [{ path: '', code: 'INVALID_JSON', message }]);
}

/**
 * What a request's body may be. JSON with nothing in it is `{}` (Fastify refuses that by itself), malformed JSON is a problem
 * of the request like any other, and an empty body of whatever type (`curl -X POST -d ''`) is no body. How large a value
 * may be in each direction is judged before an operation reads it (operation-mount.ts).
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, sent, done) => {
    const text = sent.toString();
    if (text.length === 0) {
      done(null, {});
      return;
    }
    try {
      const body: unknown = JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text);
      done(null, body);
    } catch {
      done(malformed(text));
    }
  });
  // A form is read by the operation that takes it, as a stream; operation-mount.ts refuses it everywhere else.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  app.addContentTypeParser('*', (request, _payload, done) => {
    if (request.headers['content-length'] === '0') done(null, {});
    else done(new Failure('unsupported_media_type', 'The Content-Type must be application/json'));
  });
}
