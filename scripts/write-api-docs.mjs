// Writes docs/openapi.json and docs/api.md from the built API's own schemas. Nothing is connected to: the document is made
// of code alone.
import { Buffer } from 'node:buffer';
import { writeFile } from 'node:fs/promises';
import { buildApp } from '../dist/api/app.js';
import { withSharedInPlace } from '../dist/api/plugins/openapi-shared.js';
import { openDatabase } from '../dist/db/client.js';
import { readEnv } from '../dist/platform/env.js';
import { createLogger } from '../dist/platform/logger.js';
import { createSecretBox } from '../dist/platform/secret-box.js';
import { referenceOf } from './api-reference.mjs';

const env = readEnv({});
const database = openDatabase({ url: env.OUTDIAL_DATABASE_URL, poolSize: 1, name: 'docs' });
const app = await buildApp({
  database,
  env,
  secretBox: createSecretBox([`docs:${Buffer.alloc(32).toString('base64')}`]),
  logger: createLogger('docs', 'silent'),
  temporal: { kick: () => undefined, isReachable: () => Promise.resolve(false) },
  clock: () => new Date(),
});
await app.ready();
const { body } = await app.inject('/openapi.json');
const docs = new URL('../docs/', import.meta.url);
const document = JSON.parse(body);
await writeFile(new URL('openapi.json', docs), `${inLines(document, 3)}\n`);
await writeFile(new URL('api.md', docs), referenceOf(withSharedInPlace(document)));

/** JSON with a line for each operation and each component: a third of the size, and a change shows what it is about. */
function inLines(value, depth, indent = '') {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(
    ([key, child]) => `${inner}${JSON.stringify(key)}: ${inLines(child, depth - 1, inner)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`;
}

await app.close();
await database.close();
