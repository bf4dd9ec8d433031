// Writes from docs/openapi.json what the clients in clients/ are generated from; none of it is committed.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { collectionOf } from './bruno-collection.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const from = here('../docs/openapi.json');
const header = '// Written by scripts/write-clients.mjs from docs/openapi.json; not committed.';

/** Writes the operations and types of clients/typescript into a folder. */
async function writeTypescript(folder) {
  await createClient({
    input: from,
    output: { path: folder, module: { extension: '.js' }, header: [header] },
    logs: { level: 'silent' },
    plugins: [
      { name: '@hey-api/client-fetch', throwOnError: true },
      '@hey-api/typescript',
      {
        name: '@hey-api/sdk',
        responseStyle: 'data',
        operations: { strategy: 'single', containerName: 'Operations', nesting: 'operationId' },
      },
    ],
  });
  const { paths } = JSON.parse(readFileSync(from, 'utf8'));
  const keyed = Object.entries(paths)
    .filter(([, { post }]) => post?.parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKeyHeader')))
    .map(([path]) => `  '${path}',`);
  writeFileSync(
    `${folder}/keyed.gen.ts`,
    [
      header,
      '',
      '/** Where a POST takes an Idempotency-Key. */',
      'export const keyedPosts: ReadonlySet<string> = new Set([',
      ...keyed,
      ']);',
      '',
    ].join('\n'),
  );
}

/** Writes the collection of clients/bruno into a folder; what was in it is gone. */
function writeBruno(folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of collectionOf(JSON.parse(readFileSync(from, 'utf8')))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const [to = here('../clients/typescript/src/generated'), bruno = here('../clients/bruno')] = process.argv.slice(2);
await writeTypescript(to);
writeBruno(bruno);
