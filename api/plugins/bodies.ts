import type { FastifyInstance } from 'fastify';
import { Failure, invalid } from '../../domain/errors.js';

/**
 * What a request's body may be. JSON with nothing in it is `{}` (Fastify refuses it by itself), malformed JSON is a problem
 * of the request like any other, and an empty body of whatever type (`curl -X POST -d ''`) is no body.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) {
      done(null, {});
      return;
    }
    void parseJson(request, text.toString(), (error, body) => {
      if (error === null) done(null, body);
      else
        done(invalid('The body is not valid JSON', [{ path: '', code: 'INVALID_JSON', message: 'is not valid JSON' }]));
    });
  });
  // A form is read by the operation that takes it, as a stream; operation-mount.ts refuses it everywhere else.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  app.addContentTypeParser('*', (request, _payload, done) => {
    if (request.headers['content-length'] === '0') done(null, {});
    else done(new Failure('unsupported_media_type', 'The Content-Type must be application/json'));
  });
}
