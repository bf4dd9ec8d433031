import { isObject } from '../../domain/input/json-value.js';

const reference = '#/components/schemas/';
type Schemas = Readonly<Record<string, unknown>>;

/** Members of a document that hold values, not schemas. */
const valueKeys = new Set(['example', 'examples', 'default', 'const', 'enum', 'required']);

/** Every object of a document in which keywords may stand, through `change`, the innermost first. */
function mapObjects(value: unknown, change: (object: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((entry) => mapObjects(entry, change));
  if (!isObject(value)) return value;
  return change(
    Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, valueKeys.has(key) ? child : mapObjects(child, change)]),
    ),
  );
}

/** Keywords that zod writes on every integer, map and date, and on what may be omitted, and that say nothing beside the others. */
const isNoise = ([key, value]: readonly [string, unknown], { format }: Record<string, unknown>): boolean =>
  (key === 'pattern' && format !== undefined) ||
  (key === 'required' && value === false) ||
  (key === 'default' && value === '') ||
  (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (key === 'propertyNames' && isObject(value) && Object.keys(value).length === 1 && value.type === 'string');

const without = (object: Record<string, unknown>, left: string) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== left));

/** An alternative of `anyOf`, without the description that all of them share. */
const ofOne = (schema: unknown, common: unknown): unknown =>
  isObject(schema) && schema.description === common ? without(schema, 'description') : schema;

const saidOnce = (object: Record<string, unknown>) =>
  Array.isArray(object.anyOf) && object.description !== undefined
    ? { ...object, anyOf: object.anyOf.map((schema: unknown) => ofOne(schema, object.description)) }
    : object;

const withoutNoise = (object: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(object).filter((entry) => !isNoise(entry, object)));

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  return mapObjects(value, (object) => {
    if (typeof object.$ref !== 'string' || !object.$ref.startsWith(reference)) return object;
    const name = object.$ref.slice(reference.length);
    return { ...object, $ref: reference + (names.get(name) ?? name) };
  });
}

/** Names of the schemas that are written here, and of those that they refer to. */
function usedNames(roots: unknown, schemas: Schemas): Set<string> {
  const used = new Set<string>();
  const look = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      look(schemas[name] ?? {});
    }
  };
  look(roots);
  return used;
}

/**
 * New names of the schemas of requests. Each schema is generated twice, as `Tool` for answers and as `ToolInput` for requests:
 * in a request, defaults are optional. If only requests use it, or both are the same, it is `Tool`.
 */
function namesOfInputs(schemas: Schemas, used: ReadonlySet<string>): Map<string, string> {
  const inputs = Object.keys(schemas).filter((name) => name.endsWith('Input') && name.slice(0, -5) in schemas);
  const names = new Map(inputs.map((name) => [name, name.slice(0, -5)]));
  for (let found = true; found;) {
    // Those that differ keep their names; whatever refers to them then differs, too.
    const different = [...names].filter(
      ([input, output]) =>
        used.has(output) &&
        JSON.stringify(renamed(schemas[input], names)) !== JSON.stringify(renamed(schemas[output], names)),
    );
    for (const [input] of different) names.delete(input);
    found = different.length > 0;
  }
  return names;
}

/** Leaves a document's `components.schemas` with what is referred to, each schema once and under the shortest name. */
export function tidySchemas<Document extends object>(document: Document): Document {
  const { components: all, ...rest } = mapObjects(document, (object) => saidOnce(withoutNoise(object))) as {
    components: Record<string, Schemas>;
  };
  const { schemas = {}, ...components } = all;
  const used = usedNames({ rest, components }, schemas);
  const names = namesOfInputs(schemas, used);
  const kept = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => [names.get(name) ?? name, renamed(schema, names)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(renamed(rest, names) as Document),
    components: { ...(renamed(components, names) as object), schemas: Object.fromEntries(kept) },
  };
}
