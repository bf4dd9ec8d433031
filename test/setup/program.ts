import { execFileSync } from 'node:child_process';

/**
 * A program that some suites need and not every machine has.
 *
 * @param variable environment variable that names it
 * @param name as it is called on the PATH
 * @returns undefined if there is none
 */
export function findProgram(variable: string, name: string): string | undefined {
  const named = process.env[variable];
  if (named !== undefined && named !== '') return named;
  try {
    return execFileSync('which', [name], { encoding: 'utf8' }).trim();
  } catch {
    return undefined; // not installed is an answer
  }
}
