import { isObject } from '../../domain/input/json-value.js';

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Components = Readonly<Record<string, unknown>>;

/** The schema that a reference leads to; the schema itself if it is not a reference. */
export function resolved(schema: JsonSchema, components: Components): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  const target = components[schema.$ref.replace('#/components/schemas/', '')];
  return isObject(target) ? target : {};
}

/** The example that a schema itself has. */
export function ownExample(schema: JsonSchema): unknown {
  if ('example' in schema) return schema.example;
  return Array.isArray(schema.examples) ? (schema.examples as unknown[])[0] : undefined;
}

/**
 * An example of a schema: its own, or one made of the examples of its parts, such as a page of the items that it lists.
 *
 * @returns undefined if neither it nor its required parts have one
 */
export function exampleOf(schema: JsonSchema, components: Components): unknown {
  const own = ownExample(schema);
  if (own !== undefined) return own;
  const target = resolved(schema, components);
  if (target !== schema) return exampleOf(target, components);
  if (target.type === 'array' && isObject(target.items)) {
    const item = exampleOf(target.items, components);
    return item === undefined ? undefined : [item];
  }
  if (!isObject(target.properties)) return undefined;
  const required = Array.isArray(target.required) ? (target.required as unknown[]) : [];
  const parts = Object.entries(target.properties).map(
    ([name, part]) => [name, isObject(part) ? exampleOf(part, components) : undefined] as const,
  );
  if (parts.some(([name, part]) => part === undefined && required.includes(name))) return undefined;
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}

/** Shows a schema's example where OpenAPI has it: beside the schema, as that of the body. */
export function withExample(media: Record<string, unknown>, components: Components): Record<string, unknown> {
  if ('example' in media || 'examples' in media || !isObject(media.schema)) return media;
  const example = exampleOf(media.schema, components);
  return example === undefined ? media : { ...media, example };
}
