// Writes what the Helm chart takes from elsewhere, so that each has one source: the settings and keys of providers from the code,
// alerts and dashboard from their folders. `--check` only says whether the chart is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import prettier from 'prettier';
import { z } from 'zod';
import { modelProviders } from '../dist/domain/agent/model-catalog.js';
import { Env } from '../dist/platform/env.js';

const chart = 'deploy/helm/outdial';

/** They come from the Secret, from other values, or belong to the images and to `up`. */
const notSettings = [
  ...['OUTDIAL_DATABASE_URL', 'OUTDIAL_SERVICE_DATABASE_URL', 'OUTDIAL_ENCRYPTION_KEYS', 'TEMPORAL_API_KEY'],
  ...['OUTDIAL_LIVEKIT_API_KEY', 'OUTDIAL_LIVEKIT_API_SECRET', 'OUTDIAL_LIVEKIT_REGIONS'],
  ...['OUTDIAL_AGENT_REGION', 'OUTDIAL_AGENT_SLOTS', 'OUTDIAL_AGENT_WARM', 'OUTDIAL_AGENT_DRAIN_SECONDS'],
  ...['OUTDIAL_HOST', 'OUTDIAL_PORT', 'OUTDIAL_METRICS_HOST', 'OUTDIAL_METRICS_PORT'],
  ...['OUTDIAL_DATA', 'OUTDIAL_SIGN_IN_FOLDER', 'OTEL_EXPORTER_OTLP_HEADERS'],
];

/** @param {Record<string, unknown>} field JSON Schema of one setting, as text of the environment; YAML also has numbers and booleans */
function valueOf({ description, ...field }) {
  delete field.default;
  if (Array.isArray(field.enum) && field.enum.includes('true')) {
    return { description, anyOf: [{ type: 'boolean' }, { enum: field.enum }] };
  }
  if (field.maximum >= Number.MAX_SAFE_INTEGER) delete field.maximum;
  if (field.format === 'uri' || field.anyOf !== undefined) {
    return { description, type: 'string', pattern: '^((https?|wss?)://.+)?$' };
  }
  // A list of one number, such as the day 7.
  if (field.type === 'string') return { description, type: ['string', 'number'] };
  return { description, ...field };
}

const { properties } = z.toJSONSchema(Env, { io: 'input', unrepresentable: 'any' });
const settings = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !notSettings.includes(name))
      .map(([name, field]) => [name, valueOf(field)]),
  ),
};
const schema = JSON.parse(readFileSync(`${chart}/values.schema.json`, 'utf8'));
schema.properties.settings = settings;
const keys = [...new Set(modelProviders.flatMap(({ keyVariable }) => keyVariable ?? []))].sort();

const files = {
  'values.schema.json': await prettier.format(JSON.stringify(schema), {
    ...(await prettier.resolveConfig(`${chart}/values.schema.json`)),
    parser: 'json',
  }),
  'files/provider-keys.txt': `${keys.join('\n')}\n`,
  'files/alerts.yml': readFileSync('deploy/prometheus/alerts.yml', 'utf8'),
  'files/dashboard.json': readFileSync('deploy/grafana/outdial.json', 'utf8'),
};
for (const [name, text] of Object.entries(files)) {
  const path = `${chart}/${name}`;
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is not up to date: run npm run docs.`);
    process.exitCode = 1;
  }
}
