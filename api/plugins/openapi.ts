import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { describeResponses, operationId, withoutUnusedSchemas } from './openapi-document.js';

const description = `Voice agents and SIP telephony. Send the API token raw in the \`Authorization\` header, without \`Bearer\`.

Every response carries \`x-request-id\`. Lists take \`page\` and \`perPage\`. A \`null\` in a request is a field left out, an unknown
field is refused. \`Idempotency-Key\` on a POST that creates or dials makes trying again safe for 24 hours.`;

const IdempotencyHeader = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Of your own choice. The same key with the same content gets the first answer again, for 24 hours.'),
});

/** Where the reference page may load things from: here. */
const pageSources = {
  'default-src': ["'self'"],
  'base-uri': ["'self'"],
  'frame-ancestors': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'object-src': ["'none'"],
};

/** OpenAPI 3.1, generated from the schemas that also validate: `GET /openapi.json`, and a page to read it at `/docs`. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Outdial', version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      components: {
        securitySchemes: {
          token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The raw API token.' },
        },
      },
      security: [{ token: [] }],
    },
    transform: (document) => {
      const { operation } = document.route.config ?? {};
      if (operation === undefined) return { schema: { hide: true }, url: document.url };
      const form = operation.schema.documentedBody;
      const body = form === undefined ? {} : { body: form.schema, consumes: [form.contentType] };
      const headers = operation.idempotent === true ? { headers: IdempotencyHeader } : {};
      const { schema, url } = jsonSchemaTransform({ ...document, schema: { ...document.schema, ...body, ...headers } });
      const response = describeResponses(schema.response);
      return { url, schema: { ...schema, response, operationId: operationId(operation.method, operation.url) } };
    },
    transformObject: (document) => withoutUnusedSchemas(jsonSchemaTransformObject(document)),
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: pageSources });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
