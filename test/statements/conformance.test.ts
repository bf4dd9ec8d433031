import prettier from 'prettier';
import { expect, test } from 'vitest';
import { additionsOfCalling } from './additions-calling.js';
import { additions } from './additions.js';
import { contract } from './contract.js';
import type { Section } from './section.js';
import { shownInTests } from './shown.js';

const chapters: readonly [title: string, sections: readonly Section[]][] = [
  ['The contract', contract],
  ['Decisions where the contract is silent, and additions', [...additions, ...additionsOfCalling]],
];
const ids = chapters.flatMap(([, sections]) => sections.flatMap(({ statements }) => Object.keys(statements)));
const shown = shownInTests();

/** Files whose tests name the id. */
const filesOf = (id: string): string[] => [
  ...new Set(shown.filter((comment) => comment.ids.includes(id)).map(({ file }) => file)),
];

test('every statement has its own id', () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every statement is shown by a test', () => {
  expect(ids.filter((id) => filesOf(id).length === 0)).toEqual([]);
});

test('every id that a test names is that of a statement', () => {
  const unknown = shown.flatMap(({ place, ids: named }) =>
    named.filter((id) => !ids.includes(id)).map((id) => `${place}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

test('every id is named right above a test that runs, or a row of its table', () => {
  expect(shown.filter(({ isAboveTest }) => !isAboveTest).map(({ place }) => place)).toEqual([]);
});

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '\\<');

const tableOf = ({ statements }: Section): string[] => [
  '| Id | Statement | Tests |',
  '| --- | --- | --- |',
  ...Object.entries(statements).map(([id, says]) => {
    const files = filesOf(id).map((file) => `\`${file.replace(/^test\/|(\.test)?\.ts$/g, '')}\``);
    return `| \`${id}\` | ${cell(says)} | ${files.join('<br>')} |`;
  }),
  '',
];

test('docs/conformance.md is the table of these; `npx vitest run test/statements -u` writes it', async () => {
  const lines = [
    '# Statements and the tests that show them',
    '',
    `The service promises ${ids.length} things. Each has an id, and the tests that fail if it is broken name that id in a comment`,
    'above them: `// shows: auth.raw`. Search the tests for an id to read them; the files are in `test/`. Generated from',
    '`test/statements` and those comments.',
    '',
    ...chapters.flatMap(([title, sections]) => [
      `## ${title}`,
      '',
      ...sections.flatMap((section) => [`### ${section.heading}`, '', ...tableOf(section)]),
    ]),
  ];
  const path = 'docs/conformance.md';
  const text = await prettier.format(lines.join('\n'), {
    ...(await prettier.resolveConfig(path)),
    parser: 'markdown',
  });
  await expect(text).toMatchFileSnapshot('../../docs/conformance.md');
});
