import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../../cli/client/operations.js';
import { requestOf } from '../../../cli/client/request.js';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')) as Document;
const documented = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`] as const,
    ),
  ),
);

test('every operation that a command names is in the document, with this method and path', () => {
  expect(Object.fromEntries(Object.keys(operations).map((id) => [id, documented.get(id)]))).toEqual(operations);
});

test('every operation of the document, named by a command or not, can be written as `outdial api METHOD PATH`', async () => {
  expect(documented.size).toBeGreaterThan(100);
  for (const address of documented.values()) {
    const [word = '', path] = address.split(' ');
    const made = await requestOf(word, path, {});
    expect(`${made.method} ${made.path}`).toBe(address);
  }
});
