import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { part } from './part.js';
import { templateDatabase } from './parts.js';

export interface TestDatabase {
  /** Connection URL of an empty, migrated database that nobody else uses. */
  readonly url: string;
  /** Drops the database, whoever is still connected. */
  close(): Promise<void>;
}

/** A database of the caller's own on the suites' shared PostgreSQL, cloned from a migrated template (some 30 ms). */
export async function testDatabase(): Promise<TestDatabase> {
  const server = await part('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const asAdmin = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await asAdmin(`create database ${name} template ${templateDatabase} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, close: () => asAdmin(`drop database if exists ${name} with (force)`) };
}
