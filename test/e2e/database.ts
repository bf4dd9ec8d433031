import { join } from 'node:path';
import pg from 'pg';
import { embeddedPostgresUrl } from '../../embedded/postgres.js';
import type { Ready } from './running-service.js';

interface WithDatabase {
  readonly folder: string;
  readonly ready: () => Pick<Ready, 'postgresPort'>;
}

/** Does something in the database of a service, with the rights of its owner. */
export async function inDatabase<T>(service: WithDatabase, work: (database: pg.Client) => Promise<T>): Promise<T> {
  const database = new pg.Client(embeddedPostgresUrl(join(service.folder, 'postgres'), service.ready().postgresPort));
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}

/** Tables of which a row has this text, of all that there are. */
export const tablesWith = (service: WithDatabase, text: string): Promise<string[]> =>
  inDatabase(service, async (database) => {
    const { rows } = await database.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const having = `select 1 from ${name} t where strpos(t::text, $1) > 0 limit 1`;
      if ((await database.query(having, [text])).rows.length > 0) found.push(name);
    }
    return found;
  });
