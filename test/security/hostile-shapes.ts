import type { OpenApiDocument, Schema } from '../api/openapi/document.js';
import { referenced } from '../api/openapi/document.js';

/** A place in a body where something hostile is put. */
export type Place = readonly (string | number)[];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deepest place that is looked for; schemas of ours end before. */
const deepestPlace = 6;

/** Every place of a body that its schema names: fields, entries of lists, and values of maps under a key of its own. */
export function placesOf(schema: Schema, document: OpenApiDocument, at: Place = []): Place[] {
  if (at.length > deepestPlace) return [];
  const own = referenced(schema, document);
  const options = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => {
    const list = own[key];
    return Array.isArray(list) ? list.filter(isRecord).flatMap((one) => placesOf(one, document, at)) : [];
  });
  const fields = Object.entries(isRecord(own.properties) ? own.properties : {}).flatMap(([name, field]) =>
    isRecord(field) ? [[...at, name], ...placesOf(field, document, [...at, name])] : [],
  );
  const inner = [
    [own.items, 0],
    [own.additionalProperties, 'english'],
  ] as const;
  const nested = inner.flatMap(([one, step]) =>
    isRecord(one) ? [[...at, step], ...placesOf(one, document, [...at, step])] : [],
  );
  return [...new Map([...options, ...fields, ...nested].map((place) => [JSON.stringify(place), place])).values()];
}

/** A copy of a value with something put at a place; what is missing on the way is made. */
export function withAt(value: unknown, [step, ...rest]: Place, put: unknown): unknown {
  if (step === undefined) return put;
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : [];
    list[step] = withAt(list[step], rest, put);
    return list;
  }
  const object = isRecord(value) ? value : {};
  return { ...object, [step]: withAt(object[step], rest, put) };
}

const keys = (count: number, value: string) =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join(',')}}`;
const entries = (count: number, entry: string) => `[${Array.from({ length: count }, () => entry).join(',')}]`;
const text = (piece: string, length: number) => JSON.stringify(piece.repeat(Math.ceil(length / piece.length)));

/** JSON texts, each below 1 MB, that are large in one direction. Each is put at every place that a schema names. */
export const shapes: Readonly<Record<string, string>> = {
  '100,000 keys': keys(80_000, '{}'),
  '250,000 numbers': entries(250_000, '0'),
  '250,000 empty objects': entries(250_000, '{}'),
  '130,000 texts': entries(130_000, '"+1"'),
  '99,000 bad numbers': entries(99_000, '"+1555"'),
  'an array 200,000 deep': `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  'an object 100,000 deep': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  '300 objects of 300 keys': keys(300, keys(250, '0')),
  '900 objects of 400 keys in a list': entries(220, keys(400, '0')),
  'a key of a megabyte': `{${text('k', 900_000)}:{"b":1,"c":[1,2,3]}}`,
  'long keys around 20,000 values': `{${text('k', 1_000)}:{${text('l', 1_000)}:${entries(900, '"\\ud800"')}}}`,
  'numbers beyond all bounds': entries(999, '1e999'),
  'NUL in 999 texts': entries(999, '"\\u0000"'),
  'a field named __proto__': '{"__proto__":{"admin":true}}',
  'a constructor with a prototype': '{"constructor":{"prototype":{"admin":true}}}',
};

/** Texts of nearly a megabyte that patterns and parsers may choke on. */
export const texts: Readonly<Record<string, string>> = {
  letters: text('a', 900_000),
  braces: text('{{', 900_000),
  'half placeholders': text('{{a', 900_000),
  digits: text('+1', 900_000),
  spaces: text(' ', 900_000),
  quotes: text('"', 450_000),
  slashes: text('/', 900_000),
  'dots and ats': text('a.@', 900_000),
};
