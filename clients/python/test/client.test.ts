import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { sharedService, type SharedService } from '../../../test/e2e/shared-service.js';

const run = promisify(execFile);
const sources = join(import.meta.dirname, '../src');
const generated = join(sources, 'outdial/generated');

let python: string | undefined;
let reason = '';
let service: SharedService | undefined;

beforeAll(async () => {
  try {
    python = (await run(process.execPath, ['scripts/write-python-client.mjs'])).stdout.trim();
    service = await sharedService('Python');
  } catch (error) {
    reason = (error as { stderr?: string }).stderr ?? String(error);
    if (python !== undefined) throw error;
  }
});

test('the Python client does for a running service what its own tests say, each of them', async ({ skip }) => {
  if (python === undefined || service === undefined) return skip(reason);
  const { apiUrl, token } = service.ready();
  const env = {
    ...process.env,
    PYTHONPATH: sources,
    PYTHONDONTWRITEBYTECODE: '1',
    OUTDIAL_TEST_URL: apiUrl,
    OUTDIAL_TEST_TOKEN: token,
  };
  const tests = run(python, ['-m', 'unittest', 'discover', '--start-directory', import.meta.dirname], {
    env,
  });
  const { stderr } = await tests.catch((error: unknown) => error as { stderr: string });
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.py'));
  const text = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('');
  const { length } = text.match(/def test_/g) ?? [];
  expect(stderr).toMatch(new RegExp(`Ran ${length} tests[^]*\nOK\n`));
});

test('every operation is in the Python client', async ({ skip }) => {
  if (python === undefined) return skip(reason);
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.values(paths)
    .flatMap((each) => Object.values(each))
    .map(({ operationId }) => operationId.replace('.', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const modules = readdirSync(join(generated, 'api'), { recursive: true, encoding: 'utf8' });
  const written = modules.map((path) => /(\w+)\.py$/.exec(path)?.[1]);
  expect(operations.filter((name) => !written.includes(name))).toEqual([]);
});

test('the Python client is installed as a package with all it needs', async ({ skip }) => {
  if (python === undefined) return skip(reason);
  const folder = temporaryFolder('wheel');
  try {
    const flags = ['--quiet', '--disable-pip-version-check', '--no-deps', '--no-build-isolation', '--target', folder];
    await run(python, ['-m', 'pip', 'install', ...flags, 'clients/python']);
    const program = 'import outdial, outdial.generated.api.calls.calls_create; print(outdial.__file__)';
    const { stdout } = await run(python, ['-c', program], { env: { ...process.env, PYTHONPATH: folder } });
    expect(stdout).toContain(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
