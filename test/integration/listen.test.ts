import type { PoolClient } from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openDatabase } from '../../db/client.js';
import { listen } from '../../dialer/listen.js';
import { testDatabase } from '../setup/database.js';

const channel = 'outdial_test';

test('a connection that breaks, as soon as it listens or later, is opened again, and says so', async () => {
  const own = await testDatabase();
  const listening = openDatabase({ url: own.url, poolSize: 1, name: 'listening' });
  const other = openDatabase({ url: own.url, poolSize: 1, name: 'test' });
  const heard: string[] = [];
  const breakIt = () =>
    other.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'outdial-listening' and datname = current_database()`);
  try {
    const stop = listen(
      listening.pool,
      {
        [channel]: (payload) => {
          heard.push(payload);
          if (heard.length === 1) void breakIt();
        },
      },
      pino({ level: 'silent' }),
    );
    await expect.poll(() => heard).toEqual(['', '']);
    await other.pool.query(`select pg_notify('${channel}', 'now')`);
    await expect.poll(() => heard).toEqual(['', '', 'now']);

    await breakIt();
    await expect.poll(() => heard).toEqual(['', '', 'now', '']);
    await stop();
    // Given back twice, it would end the process.
    await breakIt();
    await other.pool.query(`select pg_notify('${channel}', 'too late')`);
    expect(heard).toEqual(['', '', 'now', '']);
  } finally {
    await listening.close();
    await other.close();
    await own.close();
  }
});

test('a connection that says twice that it broke, by the server and by its socket, is given back once', async () => {
  const own = await testDatabase();
  const listening = openDatabase({ url: own.url, poolSize: 1, name: 'listening' });
  const opened: PoolClient[] = [];
  listening.pool.on('connect', (client) => opened.push(client));
  const heard: string[] = [];
  try {
    const stop = listen(listening.pool, { [channel]: (payload) => heard.push(payload) }, pino({ level: 'silent' }));
    await expect.poll(() => heard).toEqual(['']);
    opened[0]?.emit('error', new Error('terminating connection'));
    opened[0]?.emit('error', new Error('read ECONNRESET'));
    await expect.poll(() => heard).toEqual(['', '']);
    await stop();
    opened[1]?.emit('error', new Error('read ECONNRESET'));
  } finally {
    await listening.close();
    await own.close();
  }
});
