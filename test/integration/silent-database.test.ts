import { Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isDatabaseTrouble } from '../../api/plugins/database-trouble.js';
import { type Database, type DatabaseOptions, openDatabase } from '../../db/client.js';
import { copyTransaction } from '../../db/copy-transaction.js';
import { testDatabase } from '../setup/database.js';
import { startSwallowingProxy, type SwallowingProxy } from '../setup/swallowing-proxy.js';

/** A database behind a proxy that forgets connections. */
async function aDatabase(
  options: Partial<DatabaseOptions> = {},
): Promise<{ readonly database: Database; readonly proxy: SwallowingProxy }> {
  const own = await testDatabase();
  const url = new URL(own.url);
  const proxy = await startSwallowingProxy({ host: url.hostname, port: Number(url.port) });
  [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
  const limits = { statementTimeoutMs: 200, silentForMs: 200 };
  const database = openDatabase({ url: url.href, poolSize: 1, name: 'test', ...limits, ...options });
  onTestFinished(async () => {
    await proxy.close();
    await database.close();
    await own.close();
  });
  return { database, proxy };
}

const one = (database: Database) => sql<{ one: number }>`select 1 as one`.execute(database.db);

// shows: silent.database
test('a statement whose connection was forgotten on the way fails, and the next one goes over another connection', async () => {
  const { database, proxy } = await aDatabase();
  await one(database);
  proxy.swallow();
  const asked = one(database).catch((error: unknown) => error);
  // The pool has one connection: this waits until the forgotten one is given up.
  expect((await one(database)).rows).toEqual([{ one: 1 }]);
  const error = await asked;
  expect(error).toMatchObject({ name: 'DatabaseSilent', code: 'ETIMEDOUT' });
  expect(isDatabaseTrouble(error)).toBe(true);
  expect([proxy.taken, proxy.forgotten]).toEqual([2, 1]);
});

test('a transaction whose connection was forgotten fails whole, in the middle of a COPY, too', async () => {
  const { database, proxy } = await aDatabase();
  const storing = copyTransaction(database.pool, async ({ copy }) => {
    proxy.swallow();
    await copy('accounts (id, name, webhook_secret_sealed)', 'acc_1\tTest\tsealed\n');
  });
  await expect(storing).rejects.toThrow('the database has said nothing for 0.4 s');
  const { rows } = await sql`select 1 from accounts`.execute(database.db);
  expect(rows).toEqual([]);
});

test('a connection that is owed nothing is kept, however long nothing passes on it', async () => {
  const { database, proxy } = await aDatabase({ poolSize: 2, statementTimeoutMs: 60_000 });
  const listening = await database.pool.connect();
  const heard = new Promise((resolve) => listening.once('notification', resolve));
  await listening.query('listen outdial_test');
  if (!(listening instanceof pg.Client)) throw new Error('no client of pg');
  // Node says so when nothing has passed for the time that was set.
  expect(listening.connection.stream.emit('timeout')).toBe(true);
  await database.pool.query("select pg_notify('outdial_test', '')");
  await heard;
  listening.release();
  expect(proxy.taken).toBe(2);
});

test('a connection on which nothing passes asks whether its other end is still there', async () => {
  const { database } = await aDatabase();
  const asks = vi.spyOn(Socket.prototype, 'setKeepAlive');
  await one(database);
  expect(asks.mock.calls).toEqual([[true, 15_000]]);
  asks.mockRestore();
});
