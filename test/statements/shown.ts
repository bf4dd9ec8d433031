import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A comment `// shows: <id>, <id>` above a test, or above a row of a table of cases. */
export interface Shown {
  /** Such as `test/api/agents/create.test.ts:12`. */
  readonly place: string;
  readonly file: string;
  readonly ids: readonly string[];
  /** Whether the code below the comment is a test that runs, or a row. */
  readonly isAboveTest: boolean;
}

const comment = /^\s*\/\/ shows: (.+)$/;
const isComment = (line: string): boolean => /^\s*(?:\/\/|\/\*|\*)/.test(line);
/** `test(`, `test.each(`, `test.runIf(`; a row of a table begins with its bracket. */
const beginsTest = /^\s*(?:test(?!\.(?:skip|todo|fails))\b|\[)/;

function shownIn(file: string): Shown[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const [, named] = comment.exec(line) ?? [];
    if (named === undefined) return [];
    const code = lines.slice(index).find((below) => !isComment(below)) ?? '';
    return [{ place: `${file}:${index + 1}`, file, ids: named.split(', '), isAboveTest: beginsTest.test(code) }];
  });
}

/** Every such comment of the tests, in the order of the files. */
export const shownInTests = (): Shown[] =>
  ['test', 'agent/test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('statements/'))
      .sort()
      .flatMap((name) => shownIn(join(folder, name))),
  );
