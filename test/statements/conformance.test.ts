import prettier from 'prettier';
import { expect, test } from 'vitest';
import { sections } from './statements.js';
import { titlesIn } from './titles.js';

const all = sections.flatMap(({ statements }) => statements);
const read = new Map<string, string[] | null>();

/** File and title of the test that a reference means; null where it means none, or several. */
function testMeant(reference: string): { file: string; title: string } | null {
  const at = reference.indexOf(': ');
  const file = `test/${reference.slice(0, at)}.test.ts`;
  const begins = reference.slice(at + 2);
  if (!read.has(file)) read.set(file, titlesIn(file));
  const titles = read.get(file) ?? [];
  const found = titles.includes(begins) ? [begins] : titles.filter((title) => title.startsWith(begins));
  const [title, another] = found;
  return title === undefined || another !== undefined ? null : { file, title };
}

test('every statement has an id of its own', () => {
  const ids = all.map(([id]) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every statement is held by a test', () => {
  expect(all.filter(([, , ...heldBy]) => heldBy.length === 0).map(([id]) => id)).toEqual([]);
});

test('every test that a statement names is there', () => {
  const missing = all.flatMap(([id, , ...heldBy]) =>
    heldBy.filter((reference) => testMeant(reference) === null).map((reference) => `${id} ← ${reference}`),
  );
  expect(missing).toEqual([]);
});

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '\\<');

function tableOf(statements: (typeof sections)[number]['statements']): string[] {
  const rows = statements.map(([id, says, ...heldBy]) => {
    const tests = heldBy.map((reference) => {
      const meant = testMeant(reference);
      return meant === null ? reference : `\`${meant.file.replace(/^test\/|\.test\.ts$/g, '')}\`: ${cell(meant.title)}`;
    });
    return `| \`${id}\` | ${cell(says)} | ${tests.join('<br>')} |`;
  });
  return ['| Id | Statement | Held by |', '| --- | --- | --- |', ...rows, ''];
}

test('docs/conformance.md is the table of these; `npx vitest run test/statements -u` writes it', async () => {
  const chapters = [
    ['service', 'The contract'],
    ['api', 'Decisions where the contract is silent, and additions'],
  ] as const;
  const lines = [
    '# Statements and the tests that hold them',
    '',
    `What the service promises, ${all.length} statements, each with the tests that fail when it is broken. Files are in \`test/\`,`,
    'titles as they are written: `%s` stands for each of a table of cases. Generated from `test/statements`.',
    '',
    ...chapters.flatMap(([source, title]) => [
      `## ${title}`,
      '',
      ...sections
        .filter((section) => section.source === source)
        .flatMap(({ heading, statements }) => [`### ${heading}`, '', ...tableOf(statements)]),
    ]),
  ];
  const path = 'docs/conformance.md';
  const text = await prettier.format(lines.join('\n'), {
    ...(await prettier.resolveConfig(path)),
    parser: 'markdown',
  });
  await expect(text).toMatchFileSnapshot('../../docs/conformance.md');
});
