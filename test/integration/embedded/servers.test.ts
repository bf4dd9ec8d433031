import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres } from '../../../embedded/postgres.js';
import { isRunning, waitUntilGone } from '../../../embedded/process-identity.js';
import { findTemporal } from '../../../embedded/temporal.js';
import { searchAttributes } from '../../../embedded/temporal-server.js';
import { searchAttributeNames } from '../../../domain/workflow/contract.js';
import { testDatabase } from '../../setup/database.js';
import { temporalAddress } from '../../setup/temporal.js';

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'outdial-test-embedded-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('embedded PostgreSQL', () => {
  const start = () => startPostgres({ folder: join(folder, 'postgres'), logFile: join(folder, 'postgres.log') });

  test('goes on with its data after kill -9, also when its lock file names a stranger', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 7 as value');
    process.kill(first.child.pid, 'SIGKILL');
    await first.child.exited;

    const second = await start();
    expect(await query(second.url, 'select value from kept')).toEqual([{ value: 7 }]);
    await second.stop();

    const lock = join(folder, 'postgres', 'cluster', 'postmaster.pid');
    writeFileSync(lock, `${process.pid}\n`);
    const third = await start();
    expect(await query(third.url, 'select value from kept')).toEqual([{ value: 7 }]);
    await third.stop();
    expect(existsSync(lock)).toBe(false);
  });

  test('ends a server that outlived its supervisor, and only that one', async () => {
    const left = await start();
    const identity = { pid: left.child.pid, startedAt: left.child.startedAt };
    const next = await start();
    expect(await waitUntilGone(identity, 120_000)).toBe(true);
    expect(isRunning({ pid: next.child.pid, startedAt: next.child.startedAt })).toBe(true);
    await next.stop();
  });

  test('does not answer a commit before it is written', async () => {
    const server = await start();
    expect(await query(server.url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
    expect(await query(server.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await server.stop();
  });

  test('keeps its password to itself', async () => {
    const server = await start();
    const wrong = new URL(server.url);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).not.toContain(new URL(server.url).password);
    await server.stop();
  });
});

describe('the databases of tests', () => {
  test('are migrated, empty and used by one test file', async () => {
    const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
    await query(one.url, 'create table mine ()');
    expect(await query(one.url, "select to_regclass('mine') is null as absent")).toEqual([{ absent: false }]);
    expect(await query(other.url, "select to_regclass('mine') is null as absent")).toEqual([{ absent: true }]);
    expect(await query(other.url, 'select count(*)::int as n from accounts')).toEqual([{ n: 0 }]);
    await Promise.all([one.close(), other.close()]);
    await expect(query(one.url, 'select 1')).rejects.toThrow('does not exist');
  });
});

describe('Temporal', () => {
  test('is found by the first step that works, and each that does not is said in one line', async () => {
    const lines: string[] = [];
    const say = (line: string) => lines.push(line);
    expect(await findTemporal({ binFolder: folder, env: { TEMPORAL_ADDRESS: 'temporal:7233' }, say })).toEqual({
      kind: 'server',
      address: 'temporal:7233',
    });
    const fake = join(folder, 'fake-temporal');
    writeFileSync(fake, '#!/bin/sh\necho "temporal version 0.9.0 (Server 1.0.0)"\n', { mode: 0o755 });
    const real = join(folder, 'temporal');
    writeFileSync(real, '#!/bin/sh\necho "temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)"\n', { mode: 0o755 });
    const env = { TEMPORAL_CLI: fake, PATH: '/nowhere' };
    lines.length = 0;
    expect(await findTemporal({ binFolder: folder, env, say })).toEqual({
      kind: 'program',
      path: real,
      version: '1.9.1',
    });
    expect(lines).toEqual([
      `Temporal: cannot use TEMPORAL_CLI: ${fake} is 0.9.0, older than 1.3.0`,
      `Temporal 1.9.1, from ${real}.`,
    ]);
  });

  test('knows our search attributes', async () => {
    expect(Object.keys(searchAttributes).sort()).toEqual(Object.values(searchAttributeNames).sort());
    const connection = await Connection.connect({ address: await temporalAddress() });
    const known = await connection.operatorService.listSearchAttributes({ namespace: 'default' });
    expect(Object.keys(known.customAttributes)).toEqual(expect.arrayContaining(Object.keys(searchAttributes)));
    const client = new Client({ connection });
    const found = await client.workflow.count("OutdialBatchId = 'batch_none'");
    expect(found.count).toBe(0);
    await connection.close();
  });
});
