import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { checkedArguments } from '../../../cli/command-line.js';
import { createProgram } from '../../../cli/program.js';

const program = join(import.meta.dirname, '../../../dist/cli/main.js');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Reads a command line in this process, which for every line would take a second to start. */
async function outdial(words: string): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const prepare = (command: Command): void => {
    command.exitOverride();
    command.configureOutput({
      writeOut: (text) => (said.stdout += text),
      writeErr: (text) => (said.stderr += text),
    });
    command.commands.forEach(prepare);
  };
  const parsed = createProgram();
  prepare(parsed);
  try {
    await parsed.parseAsync(checkedArguments(parsed, words.split(' ')), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode, ...said };
    throw error;
  }
  return { code: 0, ...said };
}

test.each([
  ['doctor', "unknown command 'doctor'", 'outdial --help lists the commands'],
  ['doctor --help', "unknown command 'doctor'", 'outdial --help lists the commands'],
  ['--help doctor', "unknown command 'doctor'", 'outdial --help lists the commands'],
  ['help doctor', "unknown command 'doctor'", 'outdial --help lists the commands'],
  ['account remove', "unknown command 'remove'", 'outdial account --help lists the commands'],
  ['account remove -h', "unknown command 'remove'", 'outdial account --help lists the commands'],
  ['acount', 'Did you mean account?', 'outdial --help lists the commands'],
  ['--bogus --help', "unknown option '--bogus'", 'outdial --help lists the commands'],
  ['up --prot 80', "unknown option '--prot'", 'outdial up --help tells what it takes'],
  ['up --prot --help', "unknown option '--prot'", 'outdial up --help tells what it takes'],
  ['up now', 'too many arguments', 'outdial up --help tells what it takes'],
  ['account create', "missing required argument 'name'", 'outdial account create --help tells what it takes'],
])('`outdial %s` fails and says where help is', async (words, problem, hint) => {
  const { code, stdout, stderr } = await outdial(words);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(problem);
  expect(stderr).toContain(`(${hint})`);
});

test.each([
  ...['--help', '-h', 'help', 'up --help', 'help up', 'account --help', 'help account create', 'up --port 80 --help'],
  ...['account create --help Acme', 'key create --help --permissions read'],
])('`outdial %s` prints help and ends with 0', async (words) => {
  const { code, stdout, stderr } = await outdial(words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: outdial/);
});

test.each([
  ['doctor --help', 1],
  ['help account create', 0],
])('the process of `outdial %s` ends with %i', async (words, expected) => {
  const code = await new Promise((resolve) => {
    execFile(process.execPath, [program, ...words.split(' ')], (error) => resolve(error?.code ?? 0));
  });
  expect(code).toBe(expected);
});
