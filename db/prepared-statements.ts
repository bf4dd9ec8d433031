import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient, QueryResultRow } from 'pg';

/**
 * A statement whose text begins with this comment is prepared once on each connection. It has to be one that runs many times a
 * second and always has the same text: parsing and planning it takes longer than running it.
 */
const mark = /^\s*-- prepared\s/;

/** A prepared statement is used by its name, so each text has one of its own. null: it is not prepared. */
const names = new Map<string, string | null>();

function nameOf(text: string): string | null {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (!mark.test(text)) return null;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  names.set(text, name);
  return name;
}

/** The columns of a prepared statement have other types since a migration. It did nothing. */
const isOutdated = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '0A000' && error.message.startsWith('cached plan');

/** The pool as Kysely uses it, with marked statements prepared. */
export function preparing(pool: Pool): PostgresPool {
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? preparingClient(client);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

function preparingClient(client: PoolClient): PostgresPoolClient {
  /** What was prepared before a migration keeps its name; the same statement then gets another one. */
  let generation = 0;

  async function ask<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const name = nameOf(text);
    try {
      const query = { text, values: [...values], ...(name === null ? {} : { name: `${name}_${generation}` }) };
      const { command, rowCount, rows } = await client.query<QueryResultRow>(query);
      const answered: unknown[] = rows;
      return {
        command: command as PostgresQueryResult<R>['command'],
        rowCount: rowCount ?? 0,
        rows: answered as R[],
      };
    } catch (error) {
      if (name !== null && isOutdated(error)) generation += 1;
      throw error;
    }
  }

  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(
    asked: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof asked !== 'string') throw new Error('Results are not read by cursors.');
    return ask<R>(asked, parameters);
  }
  return { query, release: () => client.release() };
}
