import { Failure } from '../domain/errors.js';
import { createTurns, type Place, TooManyWaiting, type Turns } from '../platform/turns.js';

/** Uploads in memory at once: each may take twice its 5 or 10 MB until it is stored, and a connection to Postgres. */
const uploads = createTurns({ atOnce: 16, perOwner: 3, waitingPerOwner: 100 });

/** Reader processes of one api at once; each may take half a gigabyte and a minute. */
export const readingsAtOnce = 2;
const readings = createTurns({ atOnce: readingsAtOnce, perOwner: 1, waitingPerOwner: 10 });

/** Large JSON bodies at once: reading one is up to half a second of computing, in which this process answers no one. */
const bodies = createTurns({ atOnce: Infinity, perOwner: 1, waitingPerOwner: 100 });

const tooMany = (what: string): Failure =>
  new Failure(
    'too_many_requests',
    `Too many ${what} of this account are being read already. Send the next one when an answer has come.`,
    [],
    5,
  );

async function inTurn<T>(
  turns: Turns,
  what: string,
  accountId: string,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  try {
    return await turns.take(accountId, work);
  } catch (error) {
    throw error instanceof TooManyWaiting ? tooMany(what) : error;
  }
}

/**
 * Takes a form with a file when it is the account's turn. Until then the upload stays with the client, so that an account
 * that sends sixty files at once takes neither the memory nor the connections of the others.
 *
 * @param work may have to give up its place: see `readFormParts`
 * @throws Failure `too_many_requests`
 */
export const takeUpload = <T>(accountId: string, work: (place: Place) => Promise<T>): Promise<T> =>
  inTurn(uploads, 'files', accountId, work);

/** Has a file read when it is the account's turn. @throws Failure `too_many_requests` */
export const takeReading = <T>(accountId: string, work: () => Promise<T>): Promise<T> =>
  inTurn(readings, 'files', accountId, work);

/**
 * Waits until it is the account's turn to send a large JSON body. Until then the body stays with the client.
 *
 * @param over resolves when the request has been answered, or its client is gone: then the turn is the next one's
 * @throws Failure `too_many_requests`
 */
export const takeBodyTurn = (accountId: string, over: Promise<unknown>): Promise<void> =>
  new Promise((begin, refuse) => {
    const hold = async (): Promise<void> => {
      begin();
      await over;
    };
    inTurn(bodies, 'large bodies', accountId, hold).catch(refuse);
  });
