import pg from 'pg';
import { openDatabase, type Database } from '../../db/client.js';
import { startDialer } from '../../dialer/dialer.js';
import { testDatabase } from '../setup/database.js';
import type { Physical } from './wire.js';

/** Where simulations are played, one after the other: a database whose clock they move. */
export interface Stage {
  readonly url: string;
  readonly broken: Broken;
  /** Moves the clock, and sees which statements wait for others. */
  readonly admin: pg.Client;
  /** Reads what the simulation has come to. */
  readonly plain: Database;
  readonly idle: Physical[];
  connect(): Promise<Physical>;
  close(): Promise<void>;
}

/** The product with something broken in it. */
export interface Broken {
  /** Replaces functions of the database. */
  readonly functions: string;
  /** Changes a statement on its way to the database. */
  readonly rewrite: (text: string) => string;
  readonly startDialer: typeof startDialer;
}

const intact: Broken = { functions: '', rewrite: (text) => text, startDialer };

/**
 * Takes down what the recovery of one dialer (db/queries/dialer/lease.ts) takes from another one whose lease runs: nothing
 * bad may come of it for long, but it must not be.
 */
const watchForTaking = `
  create table virtual.taken (call_id uuid, number smallint);
  create function virtual.watch() returns trigger language plpgsql as $$
  begin
    if current_query() ~ '(freed|orphans) as \\(' and exists (select 1 from dialer_processes p
        where p.id = old.claimed_by and p.lease_until > virtual.clock_timestamp()) then
      insert into virtual.taken values (old.call_id, old.number);
    end if;
    return null;
  end $$;
  create trigger claims_are_watched after update of claimed_by on call_attempts
    for each row when (old.claimed_by is not null and new.claimed_by is distinct from old.claimed_by)
    execute function virtual.watch();`;

/**
 * A database in which `clock_timestamp()` and `now()` are those of the simulation: functions of the same names stand before
 * PostgreSQL's own in the search path of this database alone, so the product's statements run as they are (ADR 9). The
 * clock is a sequence, because what is written to one is seen by every transaction at once.
 *
 * @param broken what of the product is replaced, to see that what is broken is found
 */
export async function openStage(broken: Broken = intact): Promise<Stage> {
  const database = await testDatabase();
  const { url } = database;
  const setUp = new pg.Client({ connectionString: url });
  await setUp.connect();
  await setUp.query(broken.functions);
  const name = new URL(url).pathname.slice(1);
  await setUp.query(`
    create schema virtual;
    create sequence virtual.clock minvalue 0;
    create function virtual.clock_timestamp() returns timestamptz language sql volatile as
      $$ select timestamptz 'epoch' + last_value * interval '1 microsecond' from virtual.clock $$;
    create function virtual.now() returns timestamptz language sql volatile as
      $$ select timestamptz 'epoch' + last_value * interval '1 microsecond' from virtual.clock $$;
    ${watchForTaking}
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
    broken,
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
