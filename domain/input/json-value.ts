/** Reading of values whose type is not known yet: what is not of the type asked for reads as undefined. */

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A property of an object's own; undefined for anything else. */
export const property = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

export const textAt = (value: unknown, key: string): string | undefined => {
  const found = property(value, key);
  return typeof found === 'string' ? found : undefined;
};

export const numberAt = (value: unknown, key: string): number | undefined => {
  const found = property(value, key);
  return typeof found === 'number' ? found : undefined;
};

export const listAt = (value: unknown, key: string): readonly unknown[] => {
  const found = property(value, key);
  return Array.isArray(found) ? found : [];
};

export const entriesAt = (value: unknown, key: string): readonly [string, unknown][] => {
  const found = property(value, key);
  return isObject(found) ? Object.entries(found) : [];
};
