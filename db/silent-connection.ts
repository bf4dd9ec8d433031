import { Socket } from 'node:net';
import pg from 'pg';

/** The server has not said anything for longer than a statement may take: the connection was given up, and the statement with it. */
class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent';
  /** As of a connection that the machine itself has given up. */
  readonly code = 'ETIMEDOUT';
  constructor(silentMs: number) {
    super(`the database has said nothing for ${silentMs / 1000} s; its connection is given up`);
  }
}

/**
 * Gives a connection up when the server owes an answer and nothing has passed for this long, so that what waits for it fails. A
 * network that drops packets without a word, or a server behind a proxy that is gone, would keep it waiting for ever: PostgreSQL's own
 * limits are the server's, and the machine's keepalive asks only whether packets are acknowledged. A connection that waits for
 * notifications, or in the pool, is owed nothing.
 *
 * @param client connected
 */
export function giveUpWhenSilent(client: pg.ClientBase, silentMs: number): void {
  if (!(client instanceof pg.Client)) return;
  const { connection } = client;
  const { stream } = connection;
  if (!(stream instanceof Socket)) return;
  let answered = stream.bytesWritten;
  // Before the driver, which may send its next statement as soon as the server is ready.
  connection.prependListener('readyForQuery', () => {
    answered = stream.bytesWritten;
  });
  stream.setTimeout(silentMs, () => {
    if (stream.bytesWritten > answered) stream.destroy(new DatabaseSilent(silentMs));
  });
}
