import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { completionScript, shells } from '../../../cli/client/completion.js';
import { createProgram } from '../../../cli/program.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';

const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

let folder: string;

beforeAll(() => {
  folder = temporaryFolder('completion');
  for (const shell of shells) writeFileSync(join(folder, shell), completionScript(shell, createProgram()));
});

/** What a shell offers behind these words. */
const offers: Readonly<Record<(typeof shells)[number], (words: string) => string[]>> = {
  bash: (words) => {
    const script = `source "$0"; COMP_WORDS=(${words.replace(/ $/, " ''")}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _outdial; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return linesOf(execFileSync('bash', ['-c', script, join(folder, 'bash')], { encoding: 'utf8', cwd: folder }));
  },
  fish: (words) => {
    const script = `source ${join(folder, 'fish')}; complete -C '${words}'`;
    return linesOf(execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8', cwd: folder })).map(
      (line) => line.split('\t')[0] ?? '',
    );
  },
  zsh: (words) => {
    const typed = words.replace(/ $/, " ''");
    const script = `compdef() { :; }; compadd() { print -l -- $found; }; _files() { ls; }; source ${join(folder, 'zsh')}; words=(${typed}); CURRENT=$#words; _outdial`;
    return linesOf(execFileSync('zsh', ['-f', '-c', script], { encoding: 'utf8', cwd: folder }));
  },
};
const linesOf = (text: string): string[] => text.trim().split('\n');

for (const shell of shells) {
  test.skipIf(!has(shell))(`${shell} completes commands, their subcommands and their options`, () => {
    expect(offers[shell]('outdial ')).toEqual(expect.arrayContaining(['batch', 'doctor', 'up']));
    expect(offers[shell]('outdial batch ')).toEqual(expect.arrayContaining(['create', 'watch', 'export']));
    expect(offers[shell]('outdial batch ')).not.toContain('doctor');
    expect(offers[shell]('outdial batch create --')).toEqual(
      expect.arrayContaining(['--start', '--schedule', '--retry']),
    );
  });

  test.skipIf(!has(shell))(
    `${shell} completes the values of options and arguments, and nothing where any text may stand`,
    () => {
      expect(offers[shell]('outdial batch list --output ').toSorted()).toEqual(['csv', 'json', 'table']);
      expect(offers[shell]('outdial batch list -o ').toSorted()).toEqual(['csv', 'json', 'table']);
      expect(offers[shell]('outdial batch create people.csv --duplicates ').toSorted()).toEqual(['call', 'skip']);
      expect(offers[shell]('outdial completion ')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
      expect(offers[shell]('outdial batch create --name ')).toEqual(['']);
      expect(offers[shell]('outdial batch list --data ')).toContain(shell);
    },
  );
}

test('every command has its place in the script of each shell', () => {
  const names = createProgram().commands.map((command) => command.name());
  for (const shell of shells) {
    const script = completionScript(shell, createProgram());
    expect(names.filter((name) => !script.includes(name))).toEqual([]);
  }
});
