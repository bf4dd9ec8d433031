import { routesOf, type OpenApiDocument, type Route, type Schema } from '../api/openapi/document.js';

/** A field of a body that names something, or a parameter of a query that does. */
export interface Place {
  readonly route: Route;
  /** Of a body; null: of the query. */
  readonly type: string | null;
  /** `variants[].agentId` */
  readonly path: string;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The last word of a path: `agentId` of `variants[].agentId`. */
export const nameOf = (path: string): string => path.split('.').at(-1)?.replace('[]', '') ?? path;

/** By its name or by what is said of it. */
const namesSomething = (path: string, { description }: Schema): boolean =>
  /(?:^|[a-z])(?:ids?|numbers?|apikey|tools)$/i.test(nameOf(path)) ||
  (typeof description === 'string' && /\bids?\b|_…`/i.test(description));

/** Every field of a schema, however deep, by its path. */
function fieldsOf(
  schema: Schema,
  document: OpenApiDocument,
  path = '',
  within: readonly string[] = [],
): [string, Schema][] {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.replace('#/components/schemas/', '');
    return within.includes(name)
      ? []
      : fieldsOf(document.components.schemas[name] ?? {}, document, path, [...within, name]);
  }
  const deeper = (one: unknown, at: string) => (isSchema(one) ? fieldsOf(one, document, at, within) : []);
  const options = ['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
    Array.isArray(schema[key]) ? (schema[key] as unknown[]) : [],
  );
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...options.flatMap((one) => deeper(one, path)),
    ...deeper(schema.items, `${path}[]`),
    ...deeper(schema.additionalProperties, `${path}.*`),
    ...properties.flatMap(([name, field]): [string, Schema][] => {
      const at = path === '' ? name : `${path}.${name}`;
      return [[at, isSchema(field) ? field : {}], ...deeper(field, at)];
    }),
  ];
}

/** Every field of every body and every parameter of every query that names something, or looks as if it did. */
export function placesIn(document: OpenApiDocument): Place[] {
  const routes = routesOf(document);
  const bodyOf = (name: string) =>
    routes.find((route) => route.name === name)?.requestBody?.content['application/json']?.schema ?? {};
  // A template is the body of a batch call.
  const ofTemplate = fieldsOf(bodyOf('POST /v1/batch-calls'), document, 'template').filter(
    ([path]) => !path.startsWith('template.recipients'),
  );
  return routes.flatMap((route) => [
    ...Object.entries(route.requestBody?.content ?? {}).flatMap(([type, { schema = {} }]) => {
      const fields = fieldsOf(schema, document);
      const all = fields.some(([path]) => path === 'template') ? [...fields, ...ofTemplate] : fields;
      const found = all.filter(([path, field]) => namesSomething(path, field)).map(([path]) => path);
      return [...new Set(found)].map((path) => ({ route, type, path }));
    }),
    ...(route.parameters ?? [])
      .filter((parameter) => parameter.in === 'query' && namesSomething(parameter.name, parameter as unknown as Schema))
      .map(({ name }) => ({ route, type: null, path: name })),
  ]);
}

/** Puts a value into a body at a path; arrays and objects on the way to it are made if they are not there. */
export function put(body: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path.split('.');
  const name = first.replace('[]', '');
  if (rest.length === 0) return { ...body, [name]: value };
  const held = body[name];
  const inner = (one: unknown) => put(isSchema(one) ? one : {}, rest.join('.'), value);
  if (!first.endsWith('[]')) return { ...body, [name]: inner(held) };
  const [one, ...others] = Array.isArray(held) ? (held as unknown[]) : [{}];
  return { ...body, [name]: [inner(one), ...others] };
}
