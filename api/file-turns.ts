import { Failure } from '../domain/errors.js';
import { createTurns, TooManyWaiting, type Turns } from '../platform/turns.js';

/** Uploads in memory at once: each may take twice its 5 or 10 MB until it is stored, and a connection to Postgres. */
const uploads = createTurns({ atOnce: 16, perOwner: 3, waitingPerOwner: 100 });

/** Reader processes at once; each may take half a gigabyte and a minute. */
const readings = createTurns({ atOnce: 2, perOwner: 1, waitingPerOwner: 10 });

const tooMany = (): Failure =>
  new Failure(
    'too_many_requests',
    'Too many files of this account are being read already. Send the next one when an answer has come.',
    [],
    5,
  );

async function inTurn<T>(turns: Turns, accountId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await turns.take(accountId, work);
  } catch (error) {
    throw error instanceof TooManyWaiting ? tooMany() : error;
  }
}

/**
 * Takes a form with a file when it is the account's turn. Until then the upload stays with the client, so that an account
 * that sends sixty files at once takes neither the memory nor the connections of the others.
 *
 * @throws Failure `too_many_requests`
 */
export const takeUpload = <T>(accountId: string, work: () => Promise<T>): Promise<T> =>
  inTurn(uploads, accountId, work);

/** Has a file read when it is the account's turn. @throws Failure `too_many_requests` */
export const takeReading = <T>(accountId: string, work: () => Promise<T>): Promise<T> =>
  inTurn(readings, accountId, work);
