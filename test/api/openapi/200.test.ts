import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '../../../api/operations.js';
import { api } from '../support.js';

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; responses: object; requestBody?: { content: object } }>>;
  components: { schemas: object };
}
const served = async (): Promise<Document> => {
  const response = await api.get('/openapi.json', { token: null });
  expect(response.status).toBe(200);
  return response.body as Document;
};

test('every operation is described, with its failures, under its own name', async () => {
  const { openapi, paths } = await served();
  expect(openapi).toBe('3.1.0');
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const mounted = operations.map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`);
  expect(described.sort()).toEqual(mounted.sort());
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  const ids = all.map(({ operationId }) => operationId);
  expect(ids.toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
  expect(new Set(ids).size).toBe(all.length);
  expect(ids.filter((id) => !/^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  for (const { responses } of all)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '429', '503']));
});

test('every reference leads to a schema, and every schema is referred to', async () => {
  const document = await served();
  const used = new Set(
    [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
  );
  expect([...used].sort()).toEqual(Object.keys(document.components.schemas).sort());
});

test('the upload is described as a form', async () => {
  const { paths } = await served();
  expect(Object.keys(paths['/v1/batch-calls']?.post?.requestBody?.content ?? {})).toEqual(['multipart/form-data']);
});

test('docs/openapi.json is what is served; `npm run docs:api` writes it', async () => {
  expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(await served());
});

test('the reference page is there, and loads nothing from elsewhere', async () => {
  const page = await api.get('/docs/', { token: null });
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.headers['content-security-policy']).not.toContain('http');
  expect(page.text).not.toMatch(/(src|href)="https?:/);
});
