import { isObject, property, type JsonObject } from '../../domain/input/json-value.js';

/** Shorter examples are shown where they belong: a reference to one would be hardly shorter. */
const leastExample = 100;

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
}

const mapOperation = (operation: JsonObject, { parameter, media }: Visitor): JsonObject => ({
  ...operation,
  ...(Array.isArray(operation.parameters)
    ? { parameters: operation.parameters.map((each: unknown) => (isObject(each) ? parameter(each) : each)) }
    : {}),
  ...('requestBody' in operation ? { requestBody: mapBodies(operation.requestBody, media) } : {}),
  responses: mapMembers(operation.responses, (answer) => mapBodies(answer, media)),
});

/** Every operation of a document, its webhooks included, through a visitor. */
function mapParts<Document extends object>(document: Document, visitor: Visitor): Document {
  const visited = (key: string) =>
    mapMembers(property(document, key), (methods) =>
      mapMembers(methods, (operation) => mapOperation(operation, visitor)),
    );
  return { ...document, paths: visited('paths'), webhooks: visited('webhooks') };
}

/**
 * Puts parameters and examples that several operations have under components, and refers to them: a document that repeats
 * itself is longer than tools can take, and clients get one type for each parameter.
 */
export function shareRepeated<Document extends object>(document: Document): Document {
  const [parameters, examples]: [unknown[], unknown[]] = [[], []];
  const collect: Visitor = {
    parameter: (each) => (parameters.push(each), each),
    media: (each) => (examples.push({ value: each.example }), each),
  };
  mapParts(document, collect);

  const shelfOfParameters = createShelf('parameters', parameters);
  const shelfOfExamples = createShelf('examples', examples);
  const refer: Visitor = {
    parameter: (each) => {
      const { name, in: place } = each;
      const suffix = place === 'header' ? 'Header' : '';
      return shelfOfParameters.refer(nameOf(String(name)) + suffix, each) ?? each;
    },
    media: ({ example, ...media }) => {
      const { $ref } = isObject(media.schema) ? media.schema : {};
      if (example === undefined) return media;
      const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : undefined;
      const isLong = textOf(example).length >= leastExample;
      const reference = name === undefined || !isLong ? undefined : shelfOfExamples.refer(name, { value: example });
      return reference === undefined || name === undefined
        ? { ...media, example }
        : { ...media, examples: { [name]: reference } };
    },
  };
  return {
    ...mapParts(document, refer),
    components: {
      ...objectAt(document, 'components'),
      parameters: Object.fromEntries(shelfOfParameters.sorted()),
      examples: Object.fromEntries(shelfOfExamples.sorted()),
    },
  };
}

/** A document in which parameters and examples are where they are used, as they were before `shareRepeated`. */
export function withSharedInPlace<Document extends object>(document: Document): Document {
  const { parameters, examples } = objectAt(document, 'components');
  const found = (kept: unknown, { $ref }: JsonObject): unknown =>
    typeof $ref === 'string' ? property(kept, $ref.slice($ref.lastIndexOf('/') + 1)) : undefined;
  const inPlace: Visitor = {
    parameter: (each) => found(parameters, each) ?? each,
    media: ({ examples: named, ...media }) => {
      const [reference] = isObject(named) ? Object.values(named).filter(isObject) : [];
      return reference === undefined ? media : { ...media, example: property(found(examples, reference), 'value') };
    },
  };
  return mapParts(document, inPlace);
}
