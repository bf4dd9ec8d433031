import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, type TestContext } from 'vitest';
import { operations } from '../../api/operations.js';
import { unknownIds, oneOfEach, type PathValues } from '../api/one-of-each.js';
import { anotherApp, here, useApi } from '../api/support.js';
import { findSchemathesis, runModule } from './schemathesis.js';

export const fuzzer = await findSchemathesis();
export const folder = mkdtempSync(join(tmpdir(), 'outdial-fuzz-'));
let address = '';
let mine: PathValues = {};

/** Gives the file an API with one of each thing in it. */
export function useFuzzedApi(): void {
  useApi();
  beforeAll(async () => {
    mine = await oneOfEach();
    // Strict: an answer that its schema does not describe is a 500, with the reason in the log.
    const app = await anotherApp({ strictResponses: true });
    address = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

/** Operations after which nothing would be left to ask the others about: they are asked about what is not there. */
const destructive = operations.filter(({ method, url }) => method === 'DELETE' || /\/(release|detach)$/.test(url));

const table = (values: PathValues): string[] =>
  Object.entries(values)
    .filter(([name]) => !name.includes('/'))
    .map(([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`);

/** The fuzzer's settings: ids that exist for the parameters in paths, so that it comes past 404. */
function settings(): string {
  return [
    // Methods that no operation has are one answer for all of them (test/api/core/errors.test.ts).
    '[phases.coverage]',
    'unexpected-methods = []',
    '[parameters]',
    ...table(mine),
    ...destructive.flatMap(({ method, url }) => [
      '[[operations]]',
      `include-name = ${JSON.stringify(`${method} ${url.replace(/:(\w+)/g, '{$1}')}`)}`,
      '[operations.parameters]',
      ...table(unknownIds()),
    ]),
  ].join('\n');
}

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
];

/** Every operation is asked, in these phases of schemathesis, and no answer may surprise. */
export async function fuzz(phases: string, { skip }: TestContext): Promise<void> {
  if (fuzzer.python === null) return skip(`no schemathesis: ${fuzzer.reason}`);
  writeFileSync(join(folder, 'schemathesis.toml'), settings());
  const { code, output } = await runModule(
    fuzzer.python,
    'schemathesis.cli',
    [
      ...['--config-file', 'schemathesis.toml'],
      ...['run', `${address}/openapi.json`, '--header', `Authorization: ${here().me.token}`],
      ...['--checks', checks.join(',')],
      // One worker: Python 3.11 parses in two threads at once with "recursion depth mismatch" now and then.
      ...['--phases', phases, '--max-examples', '6', '--seed', '1', '--workers', '1'],
      ...['--generation-deterministic', '--no-shrink'],
      ...['--suppress-health-check', 'all', '--request-timeout', '20', '--continue-on-failure', '--warnings', 'off'],
    ],
    folder,
  );
  expect(code, output).toBe(0);
}
