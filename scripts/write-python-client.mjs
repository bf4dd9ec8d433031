// Writes the generated part of clients/python from docs/openapi.json; it is not committed. The generator runs in an environment
// of its own in the user's cache, which is made the first time. Prints the Python of that environment.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = [
  'hatchling==1.27.0',
  'openapi-python-client==0.29.1',
  'httpx==0.28.1',
  'pyjwt==2.10.1',
  'standardwebhooks==1.1.0',
];

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });

/** @returns a Python that has the packages */
function prepare() {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'outdial', 'python');
  const kept = join(cache, packages.join('-').replaceAll('==', '-'));
  const python = join(kept, 'bin', 'python3');
  if (existsSync(python)) return python;
  const made = `${kept}.${process.pid}`;
  try {
    mkdirSync(cache, { recursive: true });
    run('python3', '-c', 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or newer is needed"');
    run('python3', '-m', 'venv', made);
    const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];
    run(join(made, 'bin', 'python3'), '-m', 'pip', 'install', ...flags, ...packages);
    renameSync(made, kept);
    // The programs in bin name the old place, modules do not: they are run by `python3 -m`.
    return python;
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

/** The document without answers other than successes: those are errors, of one class. */
function successesOf(document) {
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      operation.responses = Object.fromEntries(
        Object.entries(operation.responses).filter(([status]) => status.startsWith('2')),
      );
    }
  }
  return document;
}

function write(python, to) {
  const folder = mkdtempSync(join(tmpdir(), 'outdial-python-'));
  try {
    const document = JSON.parse(readFileSync(here('../docs/openapi.json'), 'utf8'));
    const input = join(folder, 'openapi.json');
    const config = join(folder, 'config.json');
    writeFileSync(input, JSON.stringify(successesOf(document)));
    const overrides = { 'audio/ogg': 'application/octet-stream' };
    writeFileSync(config, JSON.stringify({ post_hooks: [], content_type_overrides: overrides }));
    const args = ['--meta', 'none', '--overwrite', '--fail-on-warning', '--output-path', to];
    run(python, '-m', 'openapi_python_client', 'generate', '--path', input, '--config', config, ...args);
    const keyed = Object.entries(document.paths)
      .filter(([, { post }]) => post?.parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKeyHeader')))
      .map(([path]) => `    "${path}",\n`);
    writeFileSync(
      join(to, 'keyed.py'),
      `"""Where a POST takes an Idempotency-Key."""\n\nKEYED_POSTS = (\n${keyed.join('')})\n`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [to = here('../clients/python/src/outdial/generated')] = process.argv.slice(2);
try {
  const python = prepare();
  write(python, to);
  console.log(python);
} catch (error) {
  console.error(`The Python client cannot be written: ${String(error.stderr ?? '').trim() || error.message}`);
  process.exitCode = 1;
}
