// Writes docs/configuration.md from the schema of the settings. `--check` only says whether the page is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import prettier from 'prettier';
import { z } from 'zod';
import { modelProviders } from '../dist/domain/agent/model-catalog.js';
import { Env } from '../dist/platform/env.js';

const path = 'docs/configuration.md';

/** @param {Record<string, unknown>} field JSON Schema of one setting */
function values(field) {
  if (Array.isArray(field.enum)) {
    const words = field.enum.filter((value) => value !== '');
    return words.map((value) => `\`${value}\``).join(', ');
  }
  if (field.type !== 'number' && field.type !== 'integer') return 'text';
  const kind = field.type === 'integer' ? 'whole number' : 'number';
  const most = field.maximum === undefined || field.maximum >= Number.MAX_SAFE_INTEGER ? undefined : field.maximum;
  const least = field.minimum === undefined || field.minimum <= Number.MIN_SAFE_INTEGER ? undefined : field.minimum;
  if (least !== undefined && most !== undefined) return `${kind}, ${least} to ${most}`;
  return least === undefined ? kind : `${kind}, at least ${least}`;
}

const { properties } = z.toJSONSchema(Env, { io: 'input', unrepresentable: 'any' });
const rows = Object.entries(properties).map(([name, field]) => {
  const fallback = field.default === undefined || field.default === '' ? '' : `\`${field.default}\``;
  const words = (field.description ?? '').replaceAll('|', '\\|');
  return `| \`${name}\` | ${words} | ${values(field)} | ${fallback} |`;
});
const keys = modelProviders.flatMap(({ keyVariable }) => (keyVariable === null ? [] : [`\`${keyVariable}\``]));
const page = `# Configuration

Every process reads these environment variables when it starts, and says which of them it cannot use. This page is written
by \`npm run docs\` from \`platform/env.ts\`.

| Variable | Meaning | Values | Default |
| --- | --- | --- | --- |
${rows.join('\n')}

Read by \`outdial up\` and \`outdial demo\` alone, when they look for Temporal (docs/operating.md): \`TEMPORAL_CLI\`, path of
the \`temporal\` program. They use \`TEMPORAL_ADDRESS\` as a server to connect to only if it is set.

The worker also looks whether the service itself has a key for a provider of models (${[...new Set(keys)].join(', ')}):
an agent whose config brings no \`apiKey\` for a model is deployed only if it has. With the simulator none is needed.
`;
const text = await prettier.format(page, { ...(await prettier.resolveConfig(path)), parser: 'markdown' });

if (!process.argv.includes('--check')) {
  writeFileSync(path, text);
} else if (readFileSync(path, 'utf8') !== text) {
  console.error(`${path} does not match platform/env.ts: run npm run docs.`);
  process.exitCode = 1;
}
