import { freeMiBOf, leastFreeMiB } from '../../embedded/disk-space.js';
import { failed, type Finding, ok, warning } from './finding.js';

const comfortableMiB = 1024;

const remedy =
  'Free some space there, or stop the service, move the folder to a larger disk and start it with --data. What is stored stays whole.';

/** Whether the disk of a data folder of `outdial up` takes what the service stores. */
export function diskFinding(folder: string, free: (folder: string) => number = freeMiBOf): Finding {
  const check = 'data folder';
  const left = free(folder);
  if (left < leastFreeMiB) {
    return failed(check, `The disk of ${folder} is full: ${left} MiB are left, and nothing can be stored.`, remedy);
  }
  return left < comfortableMiB
    ? warning(check, `The disk of ${folder} is almost full: ${left} MiB are left.`, remedy)
    : ok(check, `the disk of ${folder} has space`);
}

/** What to do if PostgreSQL could be asked and answers this. */
export const remedyOfDatabase = (words: string): string =>
  words.includes('No space left on device')
    ? 'The disk of PostgreSQL is full: free some space there, or make it larger. What is stored stays whole.'
    : 'See that it runs, and that OUTDIAL_DATABASE_URL has its address, user and password.';
