import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedPostgresUrl } from '../../embedded/postgres.js';
import { type Role, runService, type RunningService, until } from './running-service.js';

let service: RunningService;

beforeAll(async () => {
  service = await runService();
});
afterAll(async () => {
  await service.stop();
  service.removeData();
});

/** Names of the parts that `up` has as living processes, one entry for each process. */
function livingParts(): string[] {
  const children = execFileSync('pgrep', ['-P', String(service.pid)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return children.flatMap(partOf).sort();
}

function partOf(pid: string): string[] {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (words[1]?.endsWith('cli/main.js')) return [words[2] ?? ''];
    return words[0]?.endsWith('/postgres') ? ['postgres'] : words[1] === 'server' ? ['temporal'] : [];
  } catch {
    return []; // it has ended meanwhile
  }
}

const timesBack = (part: Role): number => service.said().split(`${part} runs again`).length - 1;

const everyPart = ['api', 'dialer', 'postgres', 'simulator', 'temporal', 'worker'];

test('D1: after kill -9 of two parts within a second, with a third frozen, every part has exactly one process again', async () => {
  const rounds: readonly (readonly [first: Role, second: Role, frozen: Role])[] = [
    ['carrier', 'dialer', 'worker'],
    ['worker', 'api', 'dialer'],
    ['temporal', 'carrier', 'api'],
    ['postgres', 'worker', 'carrier'],
  ];
  for (const [first, second, frozen] of rounds) {
    const before = service.ready().pids;
    const backBefore = [timesBack(first), timesBack(second)];
    service.signal(frozen, 'SIGSTOP');
    service.signal(first, 'SIGKILL');
    service.signal(second, 'SIGKILL');
    await until(() => service.said().includes(`${first} was ended by SIGKILL`));
    service.signal(frozen, 'SIGCONT');
    await until(() => timesBack(first) > backBefore[0]! && timesBack(second) > backBefore[1]!);
    for (const part of [first, second]) expect(service.ready().pids[part]).not.toBe(before[part]);
    await until(() => livingParts().join() === everyPart.join());
    expect(service.ready().pids[frozen]).toBe(before[frozen]);
  }
  // A role may find the database still away and be started again; nothing else may keep a part down.
  const reasons = [...service.said().matchAll(/does not start: (.*)/g)].map(([, reason]) => reason);
  expect(reasons.filter((reason) => !reason!.includes(' does not serve; '))).toEqual([]);
  const pausesInSeconds = [...service.said().matchAll(/was ended by SIGKILL; it is started again in ([\d.]+) s/g)].map(
    ([, pause]) => Number(pause),
  );
  expect(pausesInSeconds).toHaveLength(2 * rounds.length);
  expect(Math.max(...pausesInSeconds)).toBeLessThanOrEqual(1);
  expect((await service.request('GET', '/v1/agents')).status).toBe(200);
});

test('a role outlives the loss of all its database connections, and serves on new ones', async () => {
  const { pids, postgresPort } = service.ready();
  const admin = new pg.Client({
    connectionString: embeddedPostgresUrl(join(service.folder, 'postgres'), postgresPort),
  });
  await admin.connect();
  try {
    const roles = ['outdial-api', 'outdial-dialer', 'outdial-worker'];
    const others = `from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    const names = async (): Promise<string[]> => {
      const { rows } = await admin.query<{ name: string }>(
        `select distinct application_name as name ${others} order by 1`,
      );
      return rows.map(({ name }) => name);
    };
    // The api connects when it is asked something.
    const areConnected = async (): Promise<boolean> =>
      (await service.request('GET', '/v1/agents')).status === 200 && (await names()).join() === roles.join();
    await until(areConnected);
    const { rowCount } = await admin.query(`select pg_terminate_backend(pid) ${others}`);
    expect(rowCount).toBeGreaterThanOrEqual(3);
    await until(areConnected);
  } finally {
    await admin.end();
  }
  expect(service.ready().pids).toEqual(pids);
});
