import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { here } from '../api/support.js';
import { folder, fuzz, fuzzer, useFuzzedApi } from './fuzz-api.js';
import { runModule } from './schemathesis.js';

useFuzzedApi();

test(
  'asked as the examples of the reference say, no operation answers 5xx, a status or a body that the reference does not have (schemathesis)',
  { timeout: 300_000 },
  (context) => fuzz('examples', context),
);

// shows: openapi.served
test('the reference is valid OpenAPI 3.1 (openapi-spec-validator)', { timeout: 120_000 }, async ({ skip }) => {
  if (fuzzer.python === null) return skip(`no openapi-spec-validator: ${fuzzer.reason}`);
  const { app } = here();
  writeFileSync(join(folder, 'openapi.json'), (await app.inject('/openapi.json')).body);
  const { code, output } = await runModule(fuzzer.python, 'openapi_spec_validator', ['openapi.json'], folder);
  expect(code, output).toBe(0);
});
