import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Bruno's own reader of its files; it has no types. */
const bruno = createRequire(import.meta.url)('@usebruno/lang') as {
  bruToJsonV2(text: string): {
    http: { method: string; url: string };
    params?: { name: string; type: string; value: string }[];
    body?: { json?: string };
  };
  bruToEnvJsonV2(text: string): { variables: { name: string; secret: boolean }[] };
  collectionBruToJson(text: string): { headers: { name: string; value: string }[] };
};
const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, object>>;
};

let files: ReadonlyMap<string, string>;
let requests: readonly string[];

beforeAll(async () => {
  const { collectionOf } = (await import(join(root, 'scripts/bruno-collection.mjs'))) as {
    collectionOf: (document: object) => Map<string, string>;
  };
  files = collectionOf(document);
  requests = [...files]
    .filter(([name]) => /^[^/]+\/.*\.bru$/.test(name) && !name.startsWith('env'))
    .map(([, text]) => text);
});

test('Bruno reads every request, and they are the operations of the document, each once', () => {
  const found = requests.map((text) => {
    const { http } = bruno.bruToJsonV2(text);
    return `${http.method} ${http.url.replace('{{url}}', '').replaceAll(/:(\w+)/g, '{$1}')}`;
  });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(found.sort()).toEqual(operations.sort());
});

test('bodies are JSON, ids of paths are variables of the environment, and the token is a secret one', () => {
  const { variables } = bruno.bruToEnvJsonV2(files.get('environments/up.bru') ?? '');
  const names = variables.map(({ name }) => `{{${name}}}`);
  for (const text of requests) {
    const { params = [], body, http } = bruno.bruToJsonV2(text);
    if (body?.json !== undefined) expect(() => JSON.parse(body.json ?? '') as unknown, http.url).not.toThrow();
    for (const { value } of params.filter(({ type }) => type === 'path')) expect(names).toContain(value);
  }
  expect(variables.find(({ name }) => name === 'token')).toMatchObject({ secret: true });
  expect(bruno.collectionBruToJson(files.get('collection.bru') ?? '').headers).toEqual([
    expect.objectContaining({ name: 'authorization', value: '{{token}}' }),
  ]);
});

test('each body has what its operation requires: filled with ids, a request can be sent as it is', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const read = requests.map((text) => bruno.bruToJsonV2(text));
  const refused = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).flatMap((method) => {
      const url = `{{url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      const json = read.find(({ http }) => http.method === method && http.url === url)?.body?.json;
      if (json === undefined) return [];
      const place = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
      const pointer = place.map((each) => encodeURIComponent(each.replaceAll('/', '~1'))).join('/');
      const valid = ajv.validate({ $ref: `document#/${pointer}` }, JSON.parse(json));
      return valid ? [] : [`${method} ${path}: ${ajv.errorsText()}`];
    }),
  );
  expect(refused).toEqual([]);
});
