import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, schemaIsCurrent } from '../../db/migrate.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

let testing: TestDatabase;
let owner: pg.Pool;
let service: pg.Pool;
beforeAll(async () => {
  testing = await testDatabase();
  owner = new pg.Pool({ connectionString: testing.url, max: 1 });
  await migrate(owner, testing.serviceUrl);
  service = new pg.Pool({ connectionString: testing.serviceUrl, max: 1 });
  await owner.query("insert into accounts (id, name, webhook_secret_sealed) values ('acc_1', 'One', 'sealed')");
});
afterAll(async () => {
  await service.end();
  await owner.end();
  await testing.close();
});

test.each([
  'create table mine (id text)',
  'create temporary table accounts (id text)',
  'create schema mine',
  'create function mine() returns integer language sql as $$ select 1 $$',
  'alter table calls add column mine text',
  'alter table calls disable trigger all',
  'drop table calls',
  'drop function gate_attempts',
  'truncate calls',
  'create or replace function dialing_held_since(p_account accounts) returns timestamptz language sql as $$ select null::timestamptz $$',
  'create index mine on calls (id)',
  'create trigger mine after insert on calls for each row execute function mirror_inbound()',
  "copy calls to program 'true'",
  "copy calls from '/etc/passwd'",
  'create role mine',
  'create database mine',
  'set role outdial',
  'set session_replication_role = replica',
  "select pg_read_file('/etc/passwd')",
  "delete from schema_migrations where name = '0001-initial.sql'",
])('P3-5: the role of the service cannot: %s', async (statement) => {
  await expect(service.query(statement)).rejects.toMatchObject({
    message: expect.stringMatching(/permission denied|must be owner|must be superuser|only roles with|not allowed/i),
  });
});

test.each([
  "insert into grants (account_id, kind, value) values ('acc_1', 'host', 'sip.example.com')",
  "delete from grants where account_id = 'acc_1'",
  "update accounts set suspended_at = null where id = 'acc_1'",
  "update accounts set name = 'Two' where id = 'acc_1'",
  "insert into accounts (id, name, webhook_secret_sealed) values ('acc_2', 'Two', 'sealed')",
  "delete from accounts where id = 'acc_1'",
  'update service_state set dialing_stopped_at = null',
  "update audit_log set action = 'none'",
  'delete from audit_log',
])('P3-5: what the operator decides, and the audit log, stay as they are: %s', async (statement) => {
  await expect(service.query(statement)).rejects.toThrow('permission denied');
});

test('P3-5: it has no way to more rights, and reads and writes every table of the service', async () => {
  const { rows } = await service.query<Record<string, boolean>>(
    'select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
  );
  expect(Object.values(rows[0] ?? {})).toEqual([false, false, false, false, false]);
  const { rows: tables } = await service.query<{ name: string; missing: string[] }>(`
    select c.relname as name, array(
      select p from unnest(array['select', 'insert', 'update', 'delete']) p
      where not has_table_privilege(c.oid, p)) as missing
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`);
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.filter(({ missing }) => missing.length > 0)).toEqual([
    { name: 'accounts', missing: ['insert', 'update', 'delete'] },
    { name: 'audit_log', missing: ['update', 'delete'] },
    { name: 'grants', missing: ['insert', 'update', 'delete'] },
    { name: 'schema_migrations', missing: ['insert', 'update', 'delete'] },
    { name: 'service_state', missing: ['insert', 'update', 'delete'] },
  ]);
  expect(await schemaIsCurrent(service)).toBe(true);
});

test('P3-5: an installation whose service was the owner gets the role by its next migrate, and too many rights are taken away', async () => {
  const url = new URL(testing.url);
  [url.username, url.password] = ["late_ro'le", "pass'word"];
  await owner.query(`create role "late_ro'le" login superuser`);
  await owner.query(`grant all on all tables in schema public to "late_ro'le"`);
  await expect(migrate(owner, url.href)).rejects.toThrow("late_ro'le cannot be the role of the service");
  await owner.query(`alter role "late_ro'le" nosuperuser createdb`);
  await migrate(owner, url.href);
  await migrate(owner, url.href);
  const late = new pg.Pool({ connectionString: url.href, max: 1 });
  await expect(late.query('truncate calls')).rejects.toThrow('permission denied');
  await expect(late.query('create database mine')).rejects.toThrow('permission denied');
  expect((await late.query('select id from calls')).rows).toEqual([]);
  await late.end();
  await owner.query(`drop owned by "late_ro'le"`);
  await owner.query(`drop role "late_ro'le"`);
});

test('P3-5: the owner is refused as the role of the service', async () => {
  await expect(migrate(owner, testing.url)).rejects.toThrow('cannot be the role of the service');
});
