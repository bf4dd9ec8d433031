import { z } from 'zod';
import { isObject, type JsonObject } from '../../domain/input/json-value.js';
import type { Operation } from '../operation.js';
import { failureResponse } from './openapi-errors.js';
import { withExample, type Components } from './openapi-examples.js';
import { webhooksOfDocument } from './openapi-webhooks.js';

/** What each status of success means, for the reference. */
const meanings: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: the work goes on.',
  206: 'The range of bytes that was asked for.',
};

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;

/** Headers of answers, each described once. */
export const responseHeaders = {
  RateLimit: { description: 'Requests that the account may make at once', schema: whole },
  RateLimitRemaining: { description: 'Requests left of those', schema: whole },
  RateLimitReset: { description: 'Seconds until they are all there again', schema: whole },
  RetryAfter: { description: 'Seconds after which trying again makes sense', required: true, schema: whole },
  RetryAfter503: { description: 'With 503: seconds after which trying again makes sense', schema: whole },
  Replayed: {
    description: '`true` if this is the stored answer to an earlier request with the same Idempotency-Key',
    schema: text,
  },
} as const;

type HeaderName = keyof typeof responseHeaders;

const limitHeaders: Readonly<Record<string, HeaderName>> = {
  'ratelimit-limit': 'RateLimit',
  'ratelimit-remaining': 'RateLimitRemaining',
  'ratelimit-reset': 'RateLimitReset',
};

const isSuccess = (status: string): boolean => status.startsWith('2');

/**
 * The headers that only some answers have. The document says once, at its beginning, that every answer has x-request-id,
 * and every answer to a token the limits.
 */
function headersOf({ idempotent }: Operation, status: string): object {
  const named: Readonly<Record<string, HeaderName>> = {
    ...(status === '429' && { ...limitHeaders, 'retry-after': 'RetryAfter' }),
    ...(status === '5XX' && { 'retry-after': 'RetryAfter503' }),
    ...(idempotent === true && isSuccess(status) && { 'idempotent-replayed': 'Replayed' }),
  };
  const headers = Object.fromEntries(
    Object.entries(named).map(([name, header]) => [name, { $ref: `#/components/headers/${header}` }]),
  );
  return Object.keys(headers).length === 0 ? {} : { headers };
}

const objectAt = (value: unknown, key: string): JsonObject => {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
};

/** A body under the type that its schema names, with an example beside the schema. */
function contentWithExamples(content: Record<string, unknown>, components: Components): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      if (!isObject(media)) return [type, media];
      const { contentMediaType } = objectAt(media, 'schema');
      return [typeof contentMediaType === 'string' ? contentMediaType : type, withExample(media, components)];
    }),
  );
}

const isPlainError = (media: unknown): boolean => objectAt(media, 'schema').$ref === '#/components/schemas/Error';

/** Failures on our side are described together, as a range of statuses. */
const rangeOf = (status: string): string => (/^5\d\d$/.test(status) ? '5XX' : status);

/** One answer of an operation; that of a failure is kept in `shared`, because many operations have it, and referred to. */
function answer(
  operation: Operation,
  [status, found]: readonly [string, unknown],
  { schemas, shared }: { readonly schemas: Components; readonly shared: Record<string, object> },
): object {
  const content = objectAt(found, 'content');
  const headers = headersOf(operation, status);
  if (isSuccess(status)) {
    const { examples } = z.globalRegistry.get(operation.schema.response[Number(status)] ?? z.never()) ?? {};
    const example = Array.isArray(examples) ? (examples as unknown[])[0] : undefined;
    const shown = Object.fromEntries(
      Object.entries(content).map(([type, media]) => [
        type,
        example === undefined ? media : { ...objectAt({ media }, 'media'), example },
      ]),
    );
    return { description: meanings[status] ?? 'Answer.', ...headers, content: contentWithExamples(shown, schemas) };
  }
  const [media] = Object.values(content);
  const { name, description, example } = failureResponse(operation, status, isPlainError(media));
  shared[name] ??= {
    description,
    ...headers,
    content: { 'application/json': { ...objectAt({ media }, 'media'), example } },
  };
  return { $ref: `#/components/responses/${name}` };
}

/**
 * Adds to every operation what the schemas alone do not give: meanings, headers, and examples where tools look for them.
 * Adds the webhooks as well.
 */
export function describeOperations<Document extends object>(document: Document, all: readonly Operation[]): Document {
  const paths = { ...objectAt(document, 'paths') };
  const components = objectAt(document, 'components');
  const schemas = objectAt(components, 'schemas');
  const shared: Record<string, object> = {};
  for (const operation of all) {
    const path = operation.url.replace(/:(\w+)/g, '{$1}');
    const method = operation.method.toLowerCase();
    const methods = objectAt(paths, path);
    if (!(method in methods)) continue;
    const found = objectAt(methods, method);
    const body = objectAt(found, 'requestBody');
    const answers = Object.entries(objectAt(found, 'responses'));
    const described = {
      ...found,
      ...('content' in body
        ? { requestBody: { ...body, content: contentWithExamples(objectAt(body, 'content'), schemas) } }
        : {}),
      responses: Object.fromEntries(
        answers.map(([status, content]) => {
          const range = rangeOf(status);
          return [range, answer(operation, [range, content], { schemas, shared })] as const;
        }),
      ),
    };
    paths[path] = { ...methods, [method]: described };
  }
  const responses = Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
  const webhooks = webhooksOfDocument(schemas);
  return { ...document, paths, webhooks, components: { ...components, responses } };
}
