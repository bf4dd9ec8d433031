import { isObject, property, type JsonObject } from '../../domain/input/json-value.js';
import { exampleOf, ownExample, withExample, type Components } from './openapi-examples.js';

const textOf = (value: unknown): string => JSON.stringify(value);

const nameOf = (text: string): string =>
  text
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/** Values that are written more than once, under components: the first one that asks for a name gets it. */
function createShelf(kind: string, written: readonly unknown[]) {
  const counts = new Map<string, number>();
  for (const value of written) counts.set(textOf(value), (counts.get(textOf(value)) ?? 0) + 1);
  const kept = new Map<string, unknown>();
  return {
    /** @returns undefined if the value is written once, or if another has the name */
    refer(name: string, value: unknown): { readonly $ref: string } | undefined {
      if ((counts.get(textOf(value)) ?? 0) < 2) return undefined;
      if (!kept.has(name)) kept.set(name, value);
      return textOf(kept.get(name)) === textOf(value) ? { $ref: `#/components/${kind}/${name}` } : undefined;
    },
    sorted: (): [string, unknown][] => [...kept].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

const objectAt = (value: unknown, key: string): JsonObject => {
  const found = property(value, key);
  return isObject(found) ? found : {};
};

/** Members of an object that are objects, through `change`. */
const mapMembers = (value: unknown, change: (member: JsonObject) => unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, member]) => [key, isObject(member) ? change(member) : member]),
      )
    : value;

/** A request or an answer whose bodies go through `change`. */
const mapBodies = (holder: unknown, change: (media: JsonObject) => unknown): unknown =>
  isObject(holder) && 'content' in holder ? { ...holder, content: mapMembers(holder.content, change) } : holder;

interface Visitor {
  readonly parameter: (parameter: JsonObject) => unknown;
  readonly media: (media: JsonObject) => unknown;
  /** Gets the answer of a success, its bodies visited. */
  readonly answer: (answer: JsonObject, status: string) => unknown;
}

const visitAnswers = (responses: unknown, { media, answer }: Visitor): unknown =>
  isObject(responses)
    ? Object.fromEntries(
        Object.entries(responses).map(([status, response]) => {
          const visited = mapBodies(response, media);
          return [status, status.startsWith('2') && isObject(visited) ? answer(visited, status) : visited];
        }),
      )
    : responses;

const mapOperation = (operation: JsonObject, visitor: Visitor): JsonObject => ({
  ...operation,
  ...(Array.isArray(operation.parameters)
    ? { parameters: operation.parameters.map((each: unknown) => (isObject(each) ? visitor.parameter(each) : each)) }
    : {}),
  ...('requestBody' in operation ? { requestBody: mapBodies(operation.requestBody, visitor.media) } : {}),
  responses: visitAnswers(operation.responses, visitor),
});

/** Every operation of a document, its webhooks included, through a visitor. */
function mapParts<Document extends object>(document: Document, visitor: Visitor): Document {
  const visited = (key: string) =>
    mapMembers(property(document, key), (methods) =>
      mapMembers(methods, (operation) => mapOperation(operation, visitor)),
    );
  return { ...document, paths: visited('paths'), webhooks: visited('webhooks') };
}

const asItIs = (value: JsonObject): JsonObject => value;

/** Name of the schema that a body has. */
function schemaName(media: unknown): string | undefined {
  const reference = property(property(media, 'schema'), '$ref');
  return typeof reference === 'string' ? reference.replace('#/components/schemas/', '') : undefined;
}

/** Name of an answer: that of the schema of its only body, such as `GatewayCreated` with 201. */
function answerName(answer: JsonObject, status: string): string | undefined {
  const [media, ...others] = Object.values(objectAt(answer, 'content'));
  const name = others.length === 0 ? schemaName(media) : undefined;
  return name === undefined ? undefined : name + ({ 201: 'Created', 202: 'Accepted' }[status] ?? '');
}

/** Operations whose parameters that several have are under components. */
function shareParameters<Document extends object>(document: Document): Document {
  const parameters: unknown[] = [];
  mapParts(document, { parameter: (each) => (parameters.push(each), each), media: asItIs, answer: asItIs });
  const shelf = createShelf('parameters', parameters);
  const shared = mapParts(document, {
    parameter: (each) => shelf.refer(nameOf(String(each.name)) + (each.in === 'header' ? 'Header' : ''), each) ?? each,
    media: asItIs,
    answer: asItIs,
  });
  return {
    ...shared,
    components: { ...objectAt(document, 'components'), parameters: Object.fromEntries(shelf.sorted()) },
  };
}

/** The first example of each schema that is the whole of a body. */
function examplesOfSchemas(document: object): Map<string, unknown> {
  const examples = new Map<string, unknown>();
  const media = (each: JsonObject): JsonObject => {
    const name = schemaName(each);
    if (name !== undefined && each.example !== undefined && !examples.has(name)) examples.set(name, each.example);
    return each;
  };
  mapParts(document, { parameter: asItIs, media, answer: asItIs });
  return examples;
}

/** Schemas of objects without the examples that they were written with. Values inside keep theirs. */
const withoutExamples = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!isObject(schema) || schema.type !== 'object') return [name, schema];
      return [name, Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'examples'))];
    }),
  );

const referredName = (schema: JsonObject): string | undefined =>
  typeof schema.$ref === 'string' ? schema.$ref.replace('#/components/schemas/', '') : undefined;

/** Names of the schemas whose own examples make up that of a schema which has none. */
function namesInExample(schema: unknown, schemas: JsonObject): string[] {
  if (!isObject(schema)) return [];
  const name = referredName(schema);
  if (name !== undefined) {
    const target = objectAt(schemas, name);
    return ownExample(target) === undefined ? namesInExample(target, schemas) : [name];
  }
  const parts = [schema.items, ...Object.values(objectAt(schema, 'properties'))];
  return parts.flatMap((part) => namesInExample(part, schemas));
}

/**
 * Examples of requests and answers stand at the schemas, and nowhere else if they follow from those: a page of gateways shows the
 * gateway that `Gateway` has. Those of webhooks stay where they are: no two have the same, and `outdial trigger` posts them.
 */
function shareExamples<Document extends object>(document: Document): Document {
  const operations = { ...document, webhooks: {} };
  const written = objectAt(objectAt(document, 'components'), 'schemas');
  const plain = withoutExamples(written);
  const ofBodies = examplesOfSchemas(operations);
  const examples = new Map(ofBodies);
  for (const [name, schema] of Object.entries(written)) {
    const example = isObject(schema) && schema.type === 'object' ? ownExample(schema) : undefined;
    if (example !== undefined && !examples.has(name)) examples.set(name, example);
  }
  const withOwn = (schemas: Components): Components =>
    Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [
        name,
        isObject(schema) && examples.has(name) ? { ...schema, examples: [examples.get(name)] } : schema,
      ]),
    );
  const all = withOwn(plain);
  for (const [name, example] of examples)
    if (textOf(exampleOf(objectAt(plain, name), all)) === textOf(example)) examples.delete(name);
  const needed = [...ofBodies.keys()].filter((name) => !examples.has(name));
  const inside = new Set(needed.flatMap((name) => namesInExample(plain[name], withOwn(plain))));
  for (const name of examples.keys()) if (!ofBodies.has(name) && !inside.has(name)) examples.delete(name);
  const schemas = withOwn(plain);
  const shared = mapParts(operations, {
    parameter: asItIs,
    media: ({ example, ...media }) => {
      const follows = isObject(media.schema) && textOf(exampleOf(media.schema, schemas)) === textOf(example);
      return example === undefined || follows ? media : { ...media, example };
    },
    answer: asItIs,
  });
  return {
    ...document,
    paths: property(shared, 'paths'),
    components: { ...objectAt(document, 'components'), schemas },
  };
}

/** Operations whose answers that several have are under components, beside those of failures. */
function shareAnswers<Document extends object>(document: Document): Document {
  const answers: unknown[] = [];
  mapParts(document, { parameter: asItIs, media: asItIs, answer: (each) => (answers.push(each), each) });
  const shelf = createShelf('responses', answers);
  const shared = mapParts(document, {
    parameter: asItIs,
    media: asItIs,
    answer: (each, status) => {
      const name = answerName(each, status);
      if (name === undefined) return each;
      // The same body is answered with and without the header of a repeated request.
      return shelf.refer(name, each) ?? shelf.refer(`${name}Replayable`, each) ?? each;
    },
  });
  const components = objectAt(document, 'components');
  const responses = { ...objectAt(components, 'responses'), ...Object.fromEntries(shelf.sorted()) };
  const sorted = Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...shared, components: { ...components, responses: Object.fromEntries(sorted) } };
}

/**
 * Puts parameters, examples and answers that several operations have under components: a document that repeats itself is
 * longer than tools can take, and clients get one type for each parameter.
 */
export const shareRepeated = <Document extends object>(document: Document): Document =>
  shareAnswers(shareExamples(shareParameters(document)));

/** A document in which parameters, examples and answers of success are where they are used, as before `shareRepeated`. */
export function withSharedInPlace<Document extends object>(document: Document): Document {
  const { parameters, schemas, responses } = objectAt(document, 'components');
  const found = (kept: unknown, { $ref }: JsonObject): unknown =>
    typeof $ref === 'string' ? property(kept, $ref.slice($ref.lastIndexOf('/') + 1)) : undefined;
  const media = (each: JsonObject): unknown => withExample(each, isObject(schemas) ? schemas : {});
  return mapParts(document, {
    parameter: (each) => found(parameters, each) ?? each,
    media,
    answer: (each) => mapBodies(found(responses, each) ?? each, media),
  });
}
