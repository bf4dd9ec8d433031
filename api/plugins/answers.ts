import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AppDeps } from '../operation.js';
import { responsesOf } from '../operation-mount.js';

/**
 * Checks answers against the schemas that the reference promises. In tests a wrong one fails; in production the client gets
 * it and we get the log line, because a field too many should not take an operation down.
 */
export function checkAnswers(app: FastifyInstance, { strictResponses = false, logger }: AppDeps): void {
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  app.setSerializerCompiler<z.ZodType>(({ schema, method, url, httpStatus }) => (body) => {
    const result = z.safeEncode(schema, body);
    if (result.success) return JSON.stringify(result.data);
    const words = `${method} ${url} answered ${httpStatus ?? ''} with a body that its schema does not describe: ${z.prettifyError(result.error)}`;
    if (strictResponses) throw new Error(words);
    logger.error(words);
    return JSON.stringify(body);
  });
  if (!strictResponses) return;
  app.addHook('preSerialization', async (request, reply, body) => {
    const { operation } = request.routeOptions.config;
    if (operation !== undefined && !(reply.statusCode in responsesOf(operation))) {
      throw new Error(`${operation.method} ${operation.url} does not describe status ${reply.statusCode}.`);
    }
    return body;
  });
}
