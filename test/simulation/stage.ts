import pg from 'pg';
import { openDatabase, type Database } from '../../db/client.js';
import { testDatabase } from '../setup/database.js';
import type { Physical } from './wire.js';

/** Where simulations are played, one after the other: a database whose clock they move. */
export interface Stage {
  readonly url: string;
  /** Moves the clock, and sees which statements wait for others. */
  readonly admin: pg.Client;
  /** Reads what the simulation has come to. */
  readonly plain: Database;
  readonly idle: Physical[];
  connect(): Promise<Physical>;
  close(): Promise<void>;
}

/**
 * A database in which `clock_timestamp()` and `now()` are those of the simulation: functions of the same names stand before
 * PostgreSQL's own in the search path of this database alone, so the product's statements run as they are (ADR 9). The
 * clock is a sequence, because what is written to one is seen by every transaction at once.
 *
 * @param change replaces functions of the product, to see that what is broken is found
 */
export async function openStage(change = ''): Promise<Stage> {
  const database = await testDatabase();
  const { url } = database;
  const setUp = new pg.Client({ connectionString: url });
  await setUp.connect();
  await setUp.query(change);
  const name = new URL(url).pathname.slice(1);
  await setUp.query(`
    create schema virtual;
    create sequence virtual.clock minvalue 0;
    create function virtual.clock_timestamp() returns timestamptz language sql volatile as
      $$ select timestamptz 'epoch' + last_value * interval '1 microsecond' from virtual.clock $$;
    create function virtual.now() returns timestamptz language sql volatile as
      $$ select timestamptz 'epoch' + last_value * interval '1 microsecond' from virtual.clock $$;
    alter database ${name} set search_path = virtual, pg_catalog, public;
    alter database ${name} set deadlock_timeout = '8ms';
    alter database ${name} set synchronous_commit = off;
    alter table calls set (autovacuum_enabled = false);
    alter table call_attempts set (autovacuum_enabled = false)`);
  await setUp.end();
  const opened: pg.Client[] = [];
  const connectOne = async () => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    opened.push(client);
    return client;
  };
  const plain = openDatabase({ url, poolSize: 1, name: 'simulation' });
  return {
    url,
    admin: await connectOne(),
    plain,
    idle: [],
    async connect() {
      const client = await connectOne();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      return { client, pid: rows[0]?.pid ?? 0 };
    },
    async close() {
      for (const client of opened) await client.end();
      await plain.close();
      await database.close();
    },
  };
}
