import type { Operation } from '../operation.js';
import { errorExample } from './openapi-errors.js';
import { resolved, withExample, type Components } from './openapi-examples.js';

/** What each status means, for the reference. */
const meanings: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: the work goes on.',
  400: 'The request is not valid. Every problem is named.',
  401: 'The token is missing or not valid.',
  403: 'Not allowed.',
  404: 'No such resource on this account.',
  409: 'Conflict with the present state, or a request with this Idempotency-Key is still running.',
  413: 'The body or the file is too large.',
  415: 'The Content-Type is not the one that this operation takes.',
  422: 'The Idempotency-Key was used with another request.',
  429: 'Too many requests: wait for Retry-After seconds.',
  500: 'Something went wrong on our side.',
  503: 'Not available right now: try again after Retry-After seconds.',
};

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;

/** Headers of answers, each described once. */
export const responseHeaders = {
  RequestId: { description: 'Names this request in our log', required: true, schema: text },
  RateLimit: { description: 'Requests that the account may make at once', schema: whole },
  RateLimitRemaining: { description: 'Requests left of those', schema: whole },
  RateLimitReset: { description: 'Seconds until they are all there again', schema: whole },
  RetryAfter: { description: 'Seconds after which trying again makes sense', required: true, schema: whole },
  Replayed: {
    description: '`true` where this is the stored answer to an earlier request with the same Idempotency-Key',
    schema: text,
  },
} as const;

const headerNames: Readonly<Record<string, keyof typeof responseHeaders>> = {
  'x-request-id': 'RequestId',
  'ratelimit-limit': 'RateLimit',
  'ratelimit-remaining': 'RateLimitRemaining',
  'ratelimit-reset': 'RateLimitReset',
  'retry-after': 'RetryAfter',
  'idempotent-replayed': 'Replayed',
};

function headersOf({ idempotent }: Operation, status: number): object {
  const named = Object.entries(headerNames).filter(([, header]) => {
    if (header === 'RetryAfter') return status === 429 || status === 503;
    if (header === 'Replayed') return idempotent === true && status < 300;
    return true;
  });
  return Object.fromEntries(named.map(([name, header]) => [name, { $ref: `#/components/headers/${header}` }]));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const objectAt = (value: unknown, key: string): Record<string, unknown> => {
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

/** A field that a JSON body must have, for the example of a 400. */
function requiredField(requestBody: Record<string, unknown>, components: Components): string | undefined {
  const [media] = Object.values(objectAt(requestBody, 'content'));
  const { required } = resolved(objectAt(media, 'schema'), components);
  const [first] = Array.isArray(required) ? (required as unknown[]) : [];
  return typeof first === 'string' ? first : undefined;
}

function described(operation: Operation, found: Record<string, unknown>, components: Components): object {
  const body = objectAt(found, 'requestBody');
  const hasBody = 'content' in body;
  const field = requiredField(body, components);
  const responses = Object.entries(objectAt(found, 'responses')).map(([status, response]) => {
    const content = objectAt(response, 'content');
    const number = Number(status);
    const shown =
      number < 400
        ? contentWithExamples(content, components)
        : Object.fromEntries(
            Object.entries(content).map(([type, media]) => [
              type,
              isObject(media) ? { ...media, example: errorExample(operation, number, field) } : media,
            ]),
          );
    const description = meanings[status] ?? 'Answer.';
    return [status, { description, headers: headersOf(operation, number), content: shown }] as const;
  });
  return {
    ...found,
    ...(hasBody
      ? { requestBody: { ...body, content: contentWithExamples(objectAt(body, 'content'), components) } }
      : {}),
    responses: Object.fromEntries(responses),
  };
}

/** Adds to every operation what the schemas alone do not give: meanings, headers, and examples where tools look for them. */
export function describeOperations<Document extends object>(document: Document, all: readonly Operation[]): Document {
  const paths = { ...objectAt(document, 'paths') };
  const components = objectAt(objectAt(document, 'components'), 'schemas');
  for (const operation of all) {
    const path = operation.url.replace(/:(\w+)/g, '{$1}');
    const method = operation.method.toLowerCase();
    const methods = objectAt(paths, path);
    if (!(method in methods)) continue;
    paths[path] = { ...methods, [method]: described(operation, objectAt(methods, method), components) };
  }
  return { ...document, paths };
}

/** Leaves out the schemas that nothing refers to: each is generated for requests and for answers, and used as one. */
export function withoutUnusedSchemas<Document extends object>(document: Document): Document {
  if (!('components' in document) || !isObject(document.components)) return document;
  const { components } = document;
  let schemas = isObject(components.schemas) ? components.schemas : {};
  for (;;) {
    const written = JSON.stringify({ ...document, components: { ...components, schemas } });
    const used = Object.entries(schemas).filter(([name]) => written.includes(`"#/components/schemas/${name}"`));
    if (used.length === Object.keys(schemas).length) break;
    schemas = Object.fromEntries(used);
  }
  return { ...document, components: { ...components, schemas } };
}
