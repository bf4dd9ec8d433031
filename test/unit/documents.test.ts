import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const page = readFileSync('docs/changing.md', 'utf8');

test('every file that docs/changing.md names is there', () => {
  const named = [...page.matchAll(/`([\w./-]+\/[\w.-]*\.(?:ts|sql|json|mjs|yml|md)|(?:[\w-]+\/)+)`/g)].map(
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test('every recipe of docs/changing.md is in its contents', () => {
  const recipes = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const listed = [...page.matchAll(/^- \[(.+)\]\(#/gm)].map(([, heading = '']) => heading);
  expect(listed).toEqual(recipes);
});

const folders =
  'activities agent api bench cli console contacts db dialer domain embedded knowledge platform scripts telephony worker workflows';

test('comments refer to documents that are in the repository', () => {
  const sources = folders
    .split(' ')
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)))
    // Migrations that were released are never edited, not even their comments.
    .filter((path) => /\.(?:tsx?|sql|mjs)$/.test(path) && !/node_modules|agent\/dist|db\/migrations/.test(path));
  const references = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/[\w/-]+\.md\b/g)].map(([document]) => document),
  );
  expect(references).toContain('docs/conformance.md');
  const written = ['api.md', 'METADATA.md'];
  expect([...new Set(references)].filter((document) => !existsSync(document) && !written.includes(document))).toEqual(
    [],
  );
});

test('sections of docs/conformance.md that comments name are there', () => {
  const headings = new Set(
    [...readFileSync('docs/conformance.md', 'utf8').matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = '']) => heading),
  );
  const named = ['Batch calls: rows', 'Guardrails', 'Webhooks', 'Errors', 'LanguageBlock', 'POST /v1/batch-calls'];
  expect(named.filter((heading) => !headings.has(heading))).toEqual([]);
});
