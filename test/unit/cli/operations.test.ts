import { readdirSync, readFileSync } from 'node:fs';
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

/** Operations that have no command of their own, because they are rare or are done in the console: `outdial api` reaches them. */
const reachedByApi = [
  'agents.getVersion',
  'apiKeys.create',
  'apiKeys.delete',
  'apiKeys.list',
  'calls.listen',
  'knowledgeBaseFolders.create',
  'knowledgeBaseFolders.delete',
  'knowledgeBaseFolders.get',
  'knowledgeBaseFolders.list',
  'knowledgeBaseFolders.update',
  'knowledgeBases.create',
  'knowledgeBases.delete',
  'knowledgeBases.get',
  'knowledgeBases.getContent',
  'knowledgeBases.list',
  'knowledgeBases.query',
  'knowledgeBases.update',
  'languages.list',
  'models.list',
  'phoneNumbers.updateGateway',
  'playground.createSession',
  'stats.getTimeline',
  'tokens.revoke',
  'tools.create',
  'tools.delete',
  'tools.get',
  'tools.list',
  'tools.update',
  'webhookSecret.rotate',
];

test('no operation is forgotten: each has a command, or is listed here as one that `outdial api` reaches', () => {
  const known = [...Object.keys(operations), ...reachedByApi];
  expect([...documented.keys()].filter((id) => !known.includes(id))).toEqual([]);
  expect(reachedByApi.filter((id) => !documented.has(id) || id in operations)).toEqual([]);
});

test('every operation that is said to have a command is asked for by one', () => {
  const folder = join(import.meta.dirname, '../../../cli');
  const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('client/operations.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  expect(Object.keys(operations).filter((id) => !code.includes(`'${id}'`))).toEqual([]);
});
