import { expect, test } from 'vitest';
import { outdialHere, runOutdial } from './commands.js';

test.each([
  ['docter', "unknown command 'docter'", 'outdial --help lists the commands'],
  ['docter --help', "unknown command 'docter'", 'outdial --help lists the commands'],
  ['--help docter', "unknown command 'docter'", 'outdial --help lists the commands'],
  ['help docter', "unknown command 'docter'", 'outdial --help lists the commands'],
  ['account remove', "unknown command 'remove'", 'outdial account --help lists the commands'],
  ['account remove -h', "unknown command 'remove'", 'outdial account --help lists the commands'],
  ['acount', 'Did you mean account?', 'outdial --help lists the commands'],
  ['help acount', 'Did you mean account?', 'outdial --help lists the commands'],
  ['acount --help', 'Did you mean account?', 'outdial --help lists the commands'],
  ['help account lst', 'Did you mean list?', 'outdial account --help lists the commands'],
  ['--bogus --help', "unknown option '--bogus'", 'outdial --help lists the commands'],
  ['up --prot 80', "unknown option '--prot'", 'outdial up --help tells what it takes'],
  ['up --prot --help', "unknown option '--prot'", 'outdial up --help tells what it takes'],
  ['up now', 'too many arguments', 'outdial up --help tells what it takes'],
  ['account create', "missing required argument 'name'", 'outdial account create --help tells what it takes'],
])('`outdial %s` fails and says where help is', async (words, problem, hint) => {
  const { code, stdout, stderr } = await outdialHere(words.split(' '));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(problem);
  expect(stderr).toContain(`(${hint})`);
});

test.each([
  ...['--help', '-h', 'help', 'up --help', 'help up', 'account --help', 'help account create', 'up --port 80 --help'],
  ...['account create --help Acme', 'key create --help --permissions read'],
])('`outdial %s` prints help and ends with 0', async (words) => {
  const { code, stdout, stderr } = await outdialHere(words.split(' '));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: outdial/);
});

test.each([
  ['docter --help', 2],
  ['help account create', 0],
])('the process of `outdial %s` ends with %i', async (words, expected) => {
  expect((await runOutdial(words.split(' '))).code).toBe(expected);
});
