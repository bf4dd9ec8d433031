import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../db/client.js';
import { testDatabase } from '../setup/database.js';

test('a connection that breaks in the middle of a transaction fails that transaction and nothing else', async () => {
  const own = await testDatabase();
  const database = openDatabase({ url: own.url, poolSize: 2, name: 'test' });
  try {
    const broken = database.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      // From here nothing is asked on the connection: that it is gone arrives as an event.
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db);
      await new Promise((resolve) => setImmediate(resolve));
      await sql`select 1`.execute(tx);
    });
    // The server's last message, or if the socket closes first, that no server is there: which one arrives is a race.
    await expect(broken).rejects.toThrow(/terminat|not queryable|ECONNRESET|EPIPE/i);
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.db);
    expect(rows).toEqual([{ one: 1 }]);
  } finally {
    await database.close();
    await own.close();
  }
});
