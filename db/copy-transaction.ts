import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Db } from './client.js';
import type { DB } from './types.js';

export interface CopyTransaction {
  /** The transaction for everything but COPY. Statements wait for a COPY that is under way. */
  readonly tx: Db;
  /**
   * Appends rows by COPY in text format.
   *
   * @param target table and columns, e.g. `calls (id, account_id)`
   * @param lines rows, each ended by a line feed; see {@link copyField}
   */
  readonly copy: (target: string, lines: string) => Promise<void>;
}

/** A value as COPY's text format takes it. */
export const copyField = (text: string): string =>
  /[\\\n\r\t]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
    : text;

/** Runs `work` in one transaction that can also COPY, which Kysely's own transactions cannot. */
export async function copyTransaction<T>(pool: Pool, work: (transaction: CopyTransaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const onThisConnection = {
    connect: () => Promise.resolve({ query: client.query.bind(client), release: () => undefined }),
    end: () => Promise.resolve(),
  };
  const tx = new Kysely<DB>({ dialect: new PostgresDialect({ pool: onThisConnection }) });
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work({
      tx,
      copy: async (target, lines) => {
        await pipeline(Readable.from([Buffer.from(lines)]), client.query(copyFrom(`copy ${target} from stdin`)));
      },
    });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw error;
  } finally {
    // A connection that could not even roll back is not used again.
    client.release(broken);
  }
}
