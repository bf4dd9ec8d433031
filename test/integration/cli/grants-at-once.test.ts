import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { runOutdial } from './commands.js';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  await pool.query(
    "insert into accounts (id, name, webhook_secret_sealed) values ('acc_a', 'A', 'sealed'), ('acc_b', 'B', 'sealed')",
  );
});
afterAll(async () => {
  await pool.end();
  await database.close();
});

const add = (account: string, number: string) =>
  runOutdial(['grant', 'add', account, '--number', number], { OUTDIAL_DATABASE_URL: database.url });

test('P2-8: of two commands that grant one number at the same moment, the second says in words who has it', async () => {
  const client = await pool.connect();
  await client.query('begin');
  await client.query('lock table grants in share row exclusive mode');
  const both = [add('A', '+14155550100'), add('B', '+14155550100')];
  // Both are under way: neither has seen the other's grant.
  await expect.poll(() => lockWaits(pool)).toBe(2);
  await client.query('commit');
  client.release();
  const ended = await Promise.all(both);
  const [winner, loser] = ended[0]?.code === 0 ? ['acc_a', ended[1]] : ['acc_b', ended[0]];
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(loser?.stderr).toContain(
    `Granted to another account: +14155550100 (${winner}). Take it back first: outdial grant revoke.`,
  );
  const { rows } = await pool.query("select account_id from grants where value = '+14155550100'");
  expect(rows).toEqual([{ account_id: winner }]);
});

test('P2-8: one grant given twice at the same moment is one grant, and neither command fails', async () => {
  const ended = await Promise.all([add('A', '+14155550101'), add('A', '+14155550101')]);
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect((await pool.query("select 1 from grants where value = '+14155550101'")).rowCount).toBe(1);
});
