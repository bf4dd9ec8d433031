import { z } from 'zod';
import { type Kind, kindOf } from './kinds.js';

const Reference = z.looseObject({ $ref: z.string() });
const Parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: z.unknown(),
});
const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  parameters: z.array(z.union([Reference, Parameter])).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) }).optional(),
});
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({}),
});

/** An operation of the API as a tool. */
export interface Tool {
  readonly name: string;
  readonly operationId: string;
  readonly title: string;
  readonly description: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly kind: Kind;
  /** Names in the path; each has to be given. */
  readonly inPath: readonly string[];
  readonly inQuery: readonly string[];
  readonly hasBody: boolean;
  readonly takesKey: boolean;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Record<string, object>;
    readonly required: string[];
    readonly additionalProperties: false;
  };
}

/** What a dialing tool takes beside what its operation takes. */
export const confirmationField = 'confirmation';

/** The operations of an OpenAPI document as tools, those left out that a language model has no use for. */
export function toolsOf(json: unknown): readonly Tool[] {
  const { paths, components } = Document.parse(json);
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        toolOf(path, method.toUpperCase(), operation, { components }),
      ),
    )
    .filter(({ kind }) => kind !== 'hidden');
}

function toolOf(path: string, method: string, operation: z.infer<typeof Operation>, document: object): Tool {
  const { operationId, summary, description = '' } = operation;
  const parameters = (operation.parameters ?? []).map((each) => Parameter.parse(resolved(each, document)));
  const inPath = parameters.filter((each) => each.in === 'path');
  const inQuery = parameters.filter((each) => each.in === 'query');
  const body = operation.requestBody?.content['application/json'];
  const kind = kindOf(operationId, method);
  const described = [...inPath, ...inQuery].map((each): [string, object] => [
    each.name,
    { ...asObject(resolved(each.schema, document)), description: each.description ?? '' },
  ]);
  const properties: Record<string, object> = {
    ...Object.fromEntries(described),
    ...(body === undefined ? {} : { body: asObject(resolved(body.schema, document)) }),
    ...(kind === 'dials' ? { [confirmationField]: confirmation } : {}),
  };
  return {
    ...{ name: operationId.replaceAll('.', '_'), operationId, title: summary, method, path, kind },
    description: [summary, description, kind === 'dials' ? dialingWords : ''].filter((each) => each !== '').join('. '),
    inPath: inPath.map(({ name }) => name),
    inQuery: inQuery.map(({ name }) => name),
    hasBody: body !== undefined,
    takesKey: parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key'),
    inputSchema: {
      type: 'object',
      properties,
      required: [...inPath.map(({ name }) => name), ...(body === undefined ? [] : ['body'])],
      additionalProperties: false,
    },
  };
}

const confirmation = { type: 'string', description: 'What the dry run of exactly these arguments has returned' };
const dialingWords =
  'People may be called because of this. The first request is a dry run: it changes nothing and returns a confirmation. Show the ' +
  'person what it says, and send the same arguments with the confirmation once they agree';

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** A value with everything that it refers to in its place; what contains itself is left open. Examples are omitted. */
function resolved(value: unknown, document: object, within: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, document, within));
  if (typeof value !== 'object' || value === null) return value;
  const reference = Reference.safeParse(value);
  if (!reference.success) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => name !== 'examples' && name !== 'example')
        .map(([name, each]) => [name, resolved(each, document, within)]),
    );
  }
  const { $ref, ...beside } = reference.data;
  if (within.includes($ref)) return beside;
  const found = $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((place, name) => Object.entries(asObject(place)).find(([each]) => each === name)?.[1], document);
  return { ...asObject(resolved(found, document, [...within, $ref])), ...beside };
}
