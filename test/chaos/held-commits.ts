import { join } from 'node:path';
import pg from 'pg';
import { embeddedPostgresUrl } from '../../embedded/postgres.js';
import { type Role, type RunningService, until } from '../e2e/running-service.js';

/** Commits of one kind that stand still just before they hold. */
export interface HeldCommits {
  /** Resolves once a commit stands still: everything is written, nobody else sees it. */
  reached(): Promise<void>;
  /** Lets it go on, and all later ones. What has died meanwhile never hears that its commit holds. */
  release(): Promise<void>;
  /** Ends what stands still instead: nothing of it holds. */
  undo(): Promise<void>;
}

/** Keys of the advisory locks that held commits wait for. */
let lastKey = 5_550_100;

/** The address of the database of a service, with the rights of its owner. */
const databaseUrlOf = (service: RunningService): string =>
  embeddedPostgresUrl(join(service.folder, 'postgres'), service.ready().postgresPort);

/**
 * Holds every commit that changes such rows of a table, until it is released: whoever makes it can be killed in the moment after
 * which the database goes by it, and before the process hears of it.
 *
 * @param databaseUrl with the rights of the owner
 * @param when condition on the row `new`, in SQL
 */
export async function holdCommitsIn(databaseUrl: string, table: string, when: string): Promise<HeldCommits> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  lastKey += 1;
  const lockKey = lastKey;
  const name = `held_commits_${lockKey}`;
  // A service that a failed test has not released ends with its database.
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query(`select pg_advisory_lock(${lockKey})`);
  await holder.query(`
    create function ${name}() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${lockKey}); return null; end $$`);
  await holder.query(`
    create constraint trigger ${name} after insert or update on ${table} deferrable initially deferred
      for each row when (${when}) execute function ${name}()`);
  const held = `from pg_locks where locktype = 'advisory' and objid = ${lockKey} and not granted`;
  async function release(): Promise<void> {
    const { rows } = await holder.query<{ at: string }>(`select virtualtransaction as at ${held}`);
    await holder.query(`select pg_advisory_unlock(${lockKey})`);
    const transactions = [rows.map(({ at }) => at)];
    // A transaction has its locks until it is over.
    const some = 'select 1 from pg_locks where virtualtransaction = any ($1)';
    await until(async () => (await holder.query(some, transactions)).rowCount === 0);
    await holder.end();
  }
  return {
    reached: () => until(async () => (await holder.query(`select 1 ${held}`)).rowCount !== 0),
    release,
    async undo() {
      await holder.query(`select pg_terminate_backend(pid) ${held}`);
      await release();
    },
  };
}

/** The same in the database of a service. */
export const holdCommits = (service: RunningService, table: string, when: string): Promise<HeldCommits> =>
  holdCommitsIn(databaseUrlOf(service), table, when);

/** kill -9 of a process, until it runs again. */
export async function killed(service: RunningService, role: Role): Promise<void> {
  const before = service.ready().pids[role];
  service.signal(role, 'SIGKILL');
  await until(() => service.ready().pids[role] !== before);
}
