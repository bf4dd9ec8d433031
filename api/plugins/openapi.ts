import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operations } from '../operations.js';
import { icon, wordmark } from '../pages/look.js';
import { referenceStyle } from '../pages/reference-style.js';
import { tidySchemas } from './openapi-components.js';
import { describeOperations, responseHeaders } from './openapi-document.js';
import { shareRepeated } from './openapi-shared.js';
import { tags } from './openapi-tags.js';

const description = `Voice agents and SIP telephony. Send the API token raw in the \`Authorization\` header, without \`Bearer\`.

Every response carries \`x-request-id\`, and those to a valid token \`ratelimit-limit\`, \`ratelimit-remaining\` and
\`ratelimit-reset\`, as described under 429. Lists take \`page\` and \`perPage\`; those that grow with the years take \`cursor\` as well
(empty at first, then \`pageInfo.nextCursor\`). A \`null\` in a request counts as an omitted field; an unknown
field is rejected. \`Idempotency-Key\` on a POST that creates or dials makes trying again safe for 24 hours.`;

const IdempotencyHeader = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Any text of yours. The same key with the same content gets the first answer again, for 24 hours.'),
});

/** Where the reference page may load things from: here. */
const pageSources = {
  'default-src': ["'self'"],
  'base-uri': ["'self'"],
  'frame-ancestors': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'object-src': ["'none'"],
  // The one style that Swagger UI writes into the page itself.
  'style-src': ["'self'", "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"],
};

/** Groups that have operations, in the order of the list. */
const usedTags = () => tags.filter(({ name }) => operations.some(({ tag }) => tag === name)).map((tag) => ({ ...tag }));

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
        headers: responseHeaders,
      },
      security: [{ token: [] }],
    },
    transform: (document) => {
      const { operation } = document.route.config ?? {};
      if (operation === undefined) return { schema: { hide: true }, url: document.url };
      const documented = operation.schema.documentedBody;
      const body = documented === undefined ? {} : { body: documented.schema, consumes: [documented.contentType] };
      const headers = operation.idempotent === true ? { headers: IdempotencyHeader } : {};
      const shown = { ...document, schema: { ...document.schema, ...body, ...headers } };
      const { schema, url } = jsonSchemaTransform(shown);
      const described = { ...schema, operationId: operation.name };
      if (documented?.form === undefined) return { url, schema: described };
      const form = jsonSchemaTransform({ ...shown, schema: { body: documented.form } });
      const content = {
        [documented.contentType]: { schema: described.body },
        'multipart/form-data': { schema: form.schema.body },
      };
      return { url, schema: { ...described, body: { content } } };
    },
    transformObject: (document) => {
      const full = describeOperations(jsonSchemaTransformObject(document), operations);
      // Relative to where the document is read from: this very service, behind whatever proxy.
      const servers = [{ url: '/', description: 'The service that this document comes from' }];
      return shareRepeated(tidySchemas({ ...full, servers, tags: usedTags() }));
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: pageSources,
    logo: { type: 'image/svg+xml', content: wordmark, href: '/' },
    theme: {
      title: 'API reference · Outdial',
      css: [{ filename: 'outdial.css', content: referenceStyle }],
      favicon: [{ filename: 'icon.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: icon }],
    },
    uiConfig: { docExpansion: 'none', defaultModelsExpandDepth: 0, filter: true, displayRequestDuration: true },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
