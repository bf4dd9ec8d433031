import pg from 'pg';
import { openDatabase, type Database } from '../../db/client.js';
import { startDialer } from '../../dialer/dialer.js';
import { emptier, testDatabase } from '../setup/database.js';
import type { Physical } from './lines.js';

/** Where simulations are played, one after the other: a database whose clock they move. */
export interface Stage {
  readonly url: string;
  readonly broken: Broken;
  /** Moves the clock, and sees which statements wait for others. */
  readonly admin: pg.Client;
  /** Reads what the simulation has come to. */
  readonly plain: Database;
  readonly idle: Physical[];
  /** Removes what an earlier simulation has left. */
  empty(): Promise<void>;
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
 * Takes down what is written of an attempt that has ended, or of a call that is settled: an outcome is written once, however
 * often and however late it is said. And calls that a commit shows as waiting or over while an attempt of theirs is live.
 */
const watchForRewriting = `
  create table virtual.rewritten (call_id uuid, words text);
  create function virtual.watch_ends() returns trigger language plpgsql as $$
  begin
    insert into virtual.rewritten values (old.call_id, 'attempt ' || old.number || ' ended as ' || old.outcome || ', then '
      || new.phase || ' ' || coalesce(new.outcome, ''));
    return null;
  end $$;
  create trigger ends_are_watched after update on call_attempts for each row
    when (old.phase = 'ended' and (old.phase, old.outcome, old.invite, old.ended_at, old.next_attempt_at)
      is distinct from (new.phase, new.outcome, new.invite, new.ended_at, new.next_attempt_at))
    execute function virtual.watch_ends();
  create function virtual.watch_settled() returns trigger language plpgsql as $$
  begin
    -- A recipient that is called again (db/queries/batches/call-again.ts).
    if current_query() ~ 'set status = case when attempts_made = 0' and new.attempts_made = old.attempts_made then
      return null;
    end if;
    insert into virtual.rewritten values (old.id, 'call was ' || old.status || ' after ' || old.attempts_made
      || ' attempts, then ' || new.status || ' after ' || new.attempts_made);
    return null;
  end $$;
  create trigger settled_calls_are_watched after update on calls for each row
    when ((old.settled and (old.status, old.attempts_made) is distinct from (new.status, new.attempts_made))
      or new.attempts_made < old.attempts_made)
    execute function virtual.watch_settled();
  create function virtual.watch_live() returns trigger language plpgsql as $$
  begin
    insert into virtual.rewritten
    select c.id, 'is ' || c.status || ' while its attempt ' || a.number || ' is ' || a.phase from calls c
    join call_attempts a on a.call_id = c.id and a.phase in ('dialing', 'ringing', 'answered')
    where c.id = new.id and c.status not in ('dialing', 'in-progress');
    return null;
  end $$;
  create constraint trigger live_calls_are_watched after update on calls deferrable initially deferred for each row
    when (new.status not in ('dialing', 'in-progress')) execute function virtual.watch_live();`;

/**
 * A database in which `clock_timestamp()`, `statement_timestamp()` and `now()` are those of the simulation: functions of the same names stand before
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
    create function virtual.statement_timestamp() returns timestamptz language sql volatile as
      $$ select timestamptz 'epoch' + last_value * interval '1 microsecond' from virtual.clock $$;
    ${watchForTaking}
    ${watchForRewriting}
    alter database ${name} set search_path = virtual, pg_catalog, public;
    alter database ${name} set deadlock_timeout = '8ms';
    alter database ${name} set synchronous_commit = off;
    -- Defaults are those of the time when the tables were made.
    alter table outbox alter next_try_at set default virtual.now();
    alter table calls alter created_at set default virtual.now(), alter updated_at set default virtual.now();
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
    empty: await emptier(plain.pool),
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
