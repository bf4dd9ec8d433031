import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../../api/operations.js';
import type { Operation } from '../../../api/operation.js';

/** Where each operation is written: `POST /v1/agents` → `agents/create`. */
const written = new Map<string, string>();
for (const folder of readdirSync('api', { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  for (const file of readdirSync(join('api', folder.name)).filter((name) => name.endsWith('.ts'))) {
    const exported = Object.values((await import(resolve('api', folder.name, file))) as Record<string, unknown>);
    for (const { method, url } of operations.filter((operation) => exported.includes(operation))) {
      written.set(`${method} ${url}`, `${folder.name}/${file.replace(/\.ts$/, '')}`);
    }
  }
}

/** Operations that one file makes of several addresses: their tests are in folders of their own. */
const ofGateways: Readonly<Record<string, string>> = {
  POST: 'create',
  'GET one': 'get',
  GET: 'list',
  'PATCH one': 'update',
  'DELETE one': 'delete',
};
const elsewhere: Readonly<Record<string, string>> = {
  'GET /v1/account/defaults': 'account/defaults',
  'PUT /v1/account/defaults': 'account/put-defaults',
  'GET /v1/account/guardrails': 'account/guardrails',
  'PUT /v1/account/guardrails': 'account/put-guardrails',
  'DELETE /v2/sip/webhooks/:webhookId': 'sip-webhooks/delete',
};

function folderOf({ method, url }: Operation): string | undefined {
  const [, gateways] = /^\/v2\/sip\/((?:in|out)bound-gateways)/.exec(url) ?? [];
  if (gateways !== undefined) return `${gateways}/${ofGateways[url.includes(':') ? `${method} one` : method] ?? ''}`;
  return elsewhere[`${method} ${url}`] ?? written.get(`${method} ${url}`);
}

/** Folders of an operation's tests. */
const testFolder = (operation: Operation): string[] => {
  const folder = folderOf(operation);
  if (folder === undefined) return [];
  // What both directions do alike is tested in one place.
  const together = folder.replace(/^(in|out)bound-gateways/, 'gateways');
  return [...new Set([folder, together])].map((each) => `test/api/${each}`);
};

/**
 * Statuses that an operation documents of its own: successes, and the failures that it declares. What follows from its
 * method, its path or its header is asked of all operations at once (test/api/core, test/security/cross-account).
 */
const ownStatuses = ({ schema }: Operation): number[] => [
  ...new Set([...Object.keys(schema.response).map(Number), ...(schema.errors ?? [])]),
];

const hasTest = (folder: string, status: number): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(`${status}`) && name.endsWith('.test.ts'));

test('every operation is found in the file that it is written in', () => {
  expect(operations.filter((operation) => testFolder(operation).length === 0).map(({ url }) => url)).toEqual([]);
});

test('every status that an operation documents of its own has a test of its own', () => {
  const missing = operations.flatMap((operation) =>
    ownStatuses(operation)
      .filter((status) => !testFolder(operation).some((folder) => hasTest(folder, status)))
      .map((status) => `${operation.method} ${operation.url}: ${testFolder(operation).join()}/${status}.test.ts`),
  );
  expect(missing).toEqual([]);
});
