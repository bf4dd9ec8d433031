import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '../../../api/operations.js';
import { api } from '../support.js';

interface Document {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters?: readonly object[];
        responses: Record<string, object>;
        requestBody?: { content: object };
      }
    >
  >;
  components: Record<string, object> & {
    schemas: Record<string, { properties?: object; examples?: readonly unknown[] }>;
  };
}
const served = async (): Promise<Document> => {
  const response = await api.get('/openapi.json', { token: null });
  expect(response.status).toBe(200);
  return response.body as Document;
};

// shows: openapi.served
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
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '429', '5XX']));
});

test('every reference leads to a component, and every component is referred to', async () => {
  const document = await served();
  const used = new Set(
    [...JSON.stringify(document).matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, component]) => component),
  );
  // Security schemes are named without a reference.
  const kept = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, named]) => Object.keys(named).map((name) => `${kind}/${name}`));
  expect([...used].sort()).toEqual(kept.sort());
});

test('a page shows no example of its own: it follows from those of its items and of PageInfo', async () => {
  const { schemas } = (await served()).components;
  const pages = Object.entries(schemas).filter(
    ([, { properties = {} }]) => Object.keys(properties).join() === 'pageInfo,data',
  );
  expect(pages.length).toBeGreaterThan(15);
  expect(pages.filter(([, { examples }]) => examples !== undefined)).toEqual([]);
  expect(schemas.PageInfo?.examples).toHaveLength(1);
});

test('a parameter, an example or an answer that several operations have is written once', async () => {
  const { paths, components } = await served();
  const repeated = (written: readonly unknown[]): string[] => {
    const texts = written.map((value) => JSON.stringify(value)).filter((text) => !text.startsWith('{"$ref"'));
    return texts.filter((text, index) => text.length > 200 && texts.indexOf(text) !== index);
  };
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(repeated(all.flatMap(({ parameters = [] }) => parameters))).toEqual([]);
  const examples = Object.values(components.schemas).flatMap((schema) => schema.examples ?? []);
  expect(examples).toContainEqual(expect.objectContaining({ batchId: expect.stringMatching(/^batch_/) as unknown }));
  const shown = [...JSON.stringify(paths).matchAll(/"example":(\{.*?\})\}/g)].map(([, text = '']) => text);
  expect(examples.filter((example) => shown.includes(JSON.stringify(example)))).toEqual([]);
  expect(repeated(all.flatMap(({ responses }) => Object.values(responses)))).toEqual([]);
  expect(all.flatMap(({ responses }) => Object.values(responses))).toContainEqual({
    $ref: '#/components/responses/BatchCallDetail',
  });
  expect(all.flatMap(({ parameters = [] }) => parameters)).toContainEqual({ $ref: '#/components/parameters/BatchId' });
});

/** Object schemas without a name, with what they describe. Their descriptions tell them apart only for readers. */
function unnamed(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found;
  if (
    'properties' in value &&
    'type' in value &&
    value.type === 'object' &&
    Object.keys(value.properties ?? {}).length > 0
  ) {
    found.push(JSON.stringify({ ...value, description: undefined }));
  }
  for (const [key, child] of Object.entries(value)) if (!/^examples?$/.test(key)) unnamed(child, found);
  return found;
}

test('clients get one type for each thing: bodies have names, and no object is described twice', async () => {
  const document = await served();
  expect(unnamed(document.paths)).toEqual([]);
  const inner = unnamed(document.components);
  expect(inner.filter((schema, index) => inner.indexOf(schema) !== index)).toEqual([]);
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name) || /\d$/.test(name))).toEqual([]);
});

test('the document stays small enough for tools that hold it in a prompt or a diff: 3,200 bytes for each operation', async () => {
  const operations = Object.values((await served()).paths).flatMap((methods) => Object.keys(methods));
  expect(operations.length).toBeGreaterThan(100);
  expect(statSync('docs/openapi.json').size / operations.length).toBeLessThan(3_200);
});

test('the upload is described as JSON and as a form', async () => {
  const { paths } = await served();
  expect(Object.keys(paths['/v1/batch-calls']?.post?.requestBody?.content ?? {})).toEqual([
    'application/json',
    'multipart/form-data',
  ]);
});

// shows: openapi.committed
test('docs/openapi.json is what is served; `npm run docs:api` writes it', async () => {
  expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(await served());
});

// shows: openapi.docs-page
test('the reference page is there, and loads nothing from elsewhere', async () => {
  const page = await api.get('/docs/', { token: null });
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.headers['content-security-policy']).not.toContain('http');
  expect(page.text).not.toMatch(/(src|href)="https?:/);
});
