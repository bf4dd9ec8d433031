// Writes console/api/schema.d.ts, the types that the console asks the API with, from docs/openapi.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const from = here('../docs/openapi.json');
const to = here('../console/api/schema.d.ts');

const text = `// Written by scripts/write-console-types.mjs; not committed.\n${astToString(
  await openapiTS(readFileSync(from, 'utf8'), { silent: true }),
)}`;
if (!existsSync(to) || readFileSync(to, 'utf8') !== text) writeFileSync(to, text);
