import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

const mostBytes = 64 * 1024;

/** Size of a log in bytes; 0 while there is none. */
export function endOfLog(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** What was written to a log after `from`: only its end if it is long. */
function textSince(path: string, from: number): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const begin = Math.max(from <= size ? from : 0, size - mostBytes);
    const bytes = Buffer.alloc(size - begin);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, begin));
  } finally {
    closeSync(file);
  }
}

const problemLine = /(?:FATAL|PANIC|error): {1,2}(.*)$/;
const adviceLine = /(?:DETAIL|HINT|hint|detail): {1,2}(.*)$/;
const remarkLine = /(?:LOG|WARNING|warning): {1,2}(.*)$/;
const ofEveryStart =
  /^(?:starting PostgreSQL|listening on|database system|redo |invalid record|checkpoint |shutting down)/;

const wordsOf = (pattern: RegExp, lines: readonly string[]): string[] =>
  lines.flatMap((line) => pattern.exec(line)?.[1]?.trim() ?? []);

/**
 * Why PostgreSQL or initdb ended, in its own message: the last problem that it wrote to its log after `from`, the details
 * that follow it, and the remark before it, which may name the place. Empty if it wrote no problem.
 */
export function reasonInLog(path: string, from: number): string {
  const lines = textSince(path, from).trimEnd().split('\n');
  const at = lines.findLastIndex((line) => problemLine.test(line));
  if (at < 0) return '';
  const remarks = wordsOf(remarkLine, lines.slice(0, at)).filter((words) => !ofEveryStart.test(words));
  const said = [
    ...wordsOf(problemLine, lines.slice(at, at + 1)),
    ...wordsOf(adviceLine, lines.slice(at + 1)),
    ...remarks.slice(-1),
  ];
  return said.map((words) => words.replace(/\.$/, '')).join('. ');
}

/**
 * Whether the same start may succeed a moment later: backends of a server that was killed have not gone yet, or another
 * program has taken the port.
 */
export const passesByItself = (reason: string): boolean =>
  /shared memory block .* still in use|lock file ".*" already exists|could not create any TCP\/IP sockets|could not bind/.test(
    reason,
  );
