import type { Problem } from '../errors.js';

/** Problems that one answer lists. A client with as many to correct sends the request again anyway. */
export const mostProblems = 100;

/** Characters of a path and of a message that an answer repeats: both may hold what the client sent. */
const longestPath = 200;
const longestMessage = 400;
/** Bytes of all problems together, as JSON. */
const mostBytes = 32_768;

/** A text short enough to be repeated in an answer. */
export const cutText = (text: string, most = longestMessage): string =>
  // A cut may not leave half of a surrogate pair behind.
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

const bytesOf = ({ path, code, message }: Problem): number =>
  2 * Buffer.byteLength(JSON.stringify(path)) + Buffer.byteLength(JSON.stringify(code + message));

/** Says that not everything is listed. */
const andMore = (listed: number): Problem => ({
  path: '',
  code: 'TOO_MANY_PROBLEMS',
  message: `There are more problems than the ${listed} listed here`,
});

/** As many of these problems as an answer can hold, each cut to a readable length; says so if there are more. */
export function limitProblems(problems: readonly Problem[]): Problem[] {
  const listed: Problem[] = [];
  let bytes = 0;
  for (const { path, code, message } of problems.slice(0, mostProblems)) {
    const problem = { path: cutText(path, longestPath), code, message: cutText(message) };
    bytes += bytesOf(problem);
    if (bytes > mostBytes) break;
    listed.push(problem);
  }
  return listed.length < problems.length ? [...listed, andMore(listed.length)] : listed;
}
