import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { operations } from '../../../api/operations.js';
import { withSharedInPlace } from '../../../api/plugins/openapi-shared.js';
import { api } from '../support.js';

export type Schema = Readonly<Record<string, unknown>>;
export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
export interface DocumentedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}
export interface Answer {
  /** An answer that many operations have is described once, under components. */
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, Media>>;
}
export interface OpenApiDocument {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** The document as the service answers it, with parameters and examples where they are used. */
export async function served(): Promise<OpenApiDocument> {
  const response = await api.get('/openapi.json', { token: null });
  if (response.status !== 200) throw new Error(`No document: ${response.text}`);
  return withSharedInPlace(response.body as OpenApiDocument);
}

export interface Route extends DocumentedOperation {
  /** `POST /v1/agents/{agentId}/deploy` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** Every operation of the document, its references to answers followed. */
export const routesOf = ({ paths, components }: OpenApiDocument): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, answer]) => [
          status,
          components.responses[answer.$ref?.replace('#/components/responses/', '') ?? ''] ?? answer,
        ]),
      ),
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
    })),
  );

/** Every operation that is mounted, under the name that it has in the document. */
export const mountedRoutes = (): string[] =>
  operations.map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`);

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema that a reference leads to; the schema itself if it is none. */
export const referenced = (schema: Schema, { components }: OpenApiDocument): Schema =>
  typeof schema.$ref === 'string'
    ? (components.schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {})
    : schema;

/** What describes a field: itself, the schema that it refers to, or the one thing that it may be besides null. */
function wordsOf(field: Schema, document: OpenApiDocument): unknown {
  const options = Array.isArray(field.anyOf) ? field.anyOf.filter(isSchema).filter(({ type }) => type !== 'null') : [];
  const [only] = options.length === 1 ? options : [];
  return field.description ?? referenced(field, document).description ?? (only && wordsOf(only, document));
}

/**
 * Names of the fields of a schema that nothing describes: neither the field nor the schema that it refers to. What stands
 * under components is looked at once, there.
 */
export function fieldsWithoutWords(schema: Schema, document: OpenApiDocument, path = ''): string[] {
  const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => {
    const options = schema[key];
    return Array.isArray(options)
      ? options.filter(isSchema).flatMap((one) => fieldsWithoutWords(one, document, path))
      : [];
  });
  const nested = [schema.items, schema.additionalProperties]
    .filter(isSchema)
    .flatMap((one) => fieldsWithoutWords(one, document, `${path}[]`));
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  const own = properties.flatMap(([name, field]) => {
    const here = path === '' ? name : `${path}.${name}`;
    if (!isSchema(field)) return [here];
    const words = wordsOf(field, document);
    return [...(typeof words === 'string' && words !== '' ? [] : [here]), ...fieldsWithoutWords(field, document, here)];
  });
  return [...own, ...nested, ...inner];
}

/** Judges values by schemas of the document; answers what is wrong, or an empty text. */
export function judgeOf(document: OpenApiDocument): (schema: Schema, value: unknown) => string {
  // Formats are for readers: what they say is checked by the schemas that validate requests.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'https://document.invalid/', components: document.components });
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"https://document.invalid/#/components/');
    const validate = ajv.compile(JSON.parse(text) as AnySchema);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
}
