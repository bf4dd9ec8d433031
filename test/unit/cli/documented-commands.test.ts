import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../../../cli/program.js';

const pages = ['README.md', 'docs/first-real-call.md', 'docs/command-line.md', 'docs/mcp.md'];

/** The command lines of `outdial` in the code blocks of a page, without what a pipe or a comment adds. */
function commandsIn(page: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../..', page), 'utf8').replaceAll('\\\n', ' ');
  return [...text.matchAll(/^[ \t]*```sh\n([^]*?)^[ \t]*```/gm)]
    .flatMap(([, block = '']) => block.split('\n'))
    .flatMap((line) => [...line.matchAll(/(?:^|[ (])outdial ([a-z][^|#)]*)/g)].map(([, words = '']) => words.trim()))
    .filter((words) => !/^\S+\.\S/.test(words));
}

/** As a shell parts them, near enough for options. */
const wordsOf = (text: string): string[] => text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];

/** What is wrong with a command line; undefined if the program knows its commands, its options and takes that many arguments. */
function problemOf(text: string): string | undefined {
  let command = createProgram();
  let words = wordsOf(text);
  for (let found; (found = command.commands.find((each) => each.name() === words[0])) !== undefined;) {
    command = found;
    words = words.slice(1);
  }
  if (command.parent === null) return 'no such command';
  const { operands, unknown } = command.parseOptions(words);
  const option = unknown.find((word) => word.startsWith('-'));
  if (option !== undefined) return `no option ${option}`;
  const least = command.registeredArguments.filter(({ required }) => required).length;
  const given = operands.filter((word) => !word.startsWith('<') && !word.startsWith('>'));
  return given.length < least ? `takes ${least} arguments` : undefined;
}

test.each(pages)('every command in %s is one that the program has, with these options', (page) => {
  const commands = commandsIn(page);
  expect(commands.length).toBeGreaterThan(0);
  expect(
    commands.map((text) => ({ text, problem: problemOf(text) })).filter(({ problem }) => problem !== undefined),
  ).toEqual([]);
});

test('a command that there is not, an option that it has not got and a missing argument are found', () => {
  expect(problemOf('batches list')).toBe('no such command');
  expect(problemOf('batch list --colour')).toBe('no option --colour');
  expect(problemOf('agent diff agt_1')).toBe('takes 2 arguments');
});
