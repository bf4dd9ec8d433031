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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Gives each response of a route the meaning of its status. */
export function describeResponses(responses: unknown): Record<string, unknown> {
  if (!isObject(responses)) return {};
  return Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => [
      status,
      isObject(schema) ? { ...schema, description: meanings[status] ?? 'Answer.' } : schema,
    ]),
  );
}

/** `GET`, `/v2/sip/call/:callId` → `getV2SipCallByCallId` */
export function operationId(method: string, url: string): string {
  const words = url
    .split(/[/-]/)
    .filter((word) => word !== '')
    .map((word) => (word.startsWith(':') ? `by-${word.slice(1)}` : word))
    .flatMap((word) => word.split('-'));
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Leaves out the schemas that nothing refers to: each is generated for requests and for answers, and used as one. */
export function withoutUnusedSchemas<Document extends object>(document: Document): Document {
  if (!('components' in document) || !isObject(document.components)) return document;
  const { components } = document;
  let schemas = isObject(components.schemas) ? components.schemas : {};
  for (;;) {
    const text = JSON.stringify({ ...document, components: { ...components, schemas } });
    const used = Object.entries(schemas).filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
    if (used.length === Object.keys(schemas).length) break;
    schemas = Object.fromEntries(used);
  }
  return { ...document, components: { ...components, schemas } };
}
