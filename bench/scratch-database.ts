import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../db/client.js';
import { migrate } from '../db/migrate.js';
import { startPostgres } from '../embedded/postgres.js';
import { temporaryFolder } from '../embedded/temporary-folder.js';

export interface ScratchDatabase {
  readonly database: Database;
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * An empty, migrated database on its own PostgreSQL, with the settings and the durability of `outdial up`.
 *
 * @param kept folder that the cluster stays in, to be used again; omitted: it is deleted with `stop`
 */
export async function scratchDatabase(kept?: string): Promise<ScratchDatabase> {
  const folder = kept ?? temporaryFolder('bench-postgres');
  const server = await startPostgres({ folder, logFile: join(folder, 'postgres.log') });
  const stop = async (): Promise<void> => {
    await server.stop();
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const database = openDatabase({ url: server.url, poolSize: 4, name: 'bench' });
    await migrate(database.pool);
    return {
      database,
      url: server.url,
      stop: async () => {
        await database.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
