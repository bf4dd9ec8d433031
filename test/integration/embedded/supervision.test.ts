import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Child, startChild } from '../../../embedded/child.js';
import { DataInUse, holderOf, lockData } from '../../../embedded/data-lock.js';
import { identify, isRunning, startOf } from '../../../embedded/process-identity.js';
import { endLeftovers, openProcessList } from '../../../embedded/process-list.js';
import { createSupervisor } from '../../../embedded/supervisor.js';
import { soon } from '../../setup/soon.js';

let folder: string;
const children: Child[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outdial-test-supervision-'));
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop(200)));
  rmSync(folder, { recursive: true, force: true });
});

async function start(script = 'setInterval(() => {}, 1000)'): Promise<Child> {
  const child = await startChild({
    command: process.execPath,
    args: ['-e', script],
    logFile: join(folder, 'child.log'),
  });
  children.push(child);
  return child;
}

describe('the lock on a data folder', () => {
  test('P3-3: a data folder that it makes, and the logs in it, are closed to others', async () => {
    const data = join(folder, 'data');
    lockData(data).release();
    expect(statSync(data).mode & 0o777).toBe(0o700);
    await start();
    expect(statSync(join(folder, 'child.log')).mode & 0o777).toBe(0o600);
  });

  test('keeps a second one out, by name, while its owner lives', () => {
    const lock = lockData(folder);
    expect(() => lockData(folder)).toThrow(DataInUse);
    expect(() => lockData(folder)).toThrow(`${folder} (process ${process.pid})`);
    expect(holderOf(folder)).toMatchObject({ pid: process.pid });
    lock.release();
    lockData(folder).release();
    expect(holderOf(folder)).toBeUndefined();
  });

  test('of an owner killed with -9 is taken over', async () => {
    const owner = await start();
    writeFileSync(join(folder, 'up.lock'), JSON.stringify({ pid: owner.pid, startedAt: owner.startedAt }));
    expect(() => lockData(folder)).toThrow(DataInUse);
    process.kill(owner.pid, 'SIGKILL');
    await owner.exited;
    lockData(folder).release();
  });

  test('is not kept by a stranger who got the dead owner’s pid, nor by a torn file', () => {
    const path = join(folder, 'up.lock');
    writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt: 'another boot/1' }));
    lockData(folder).release();
    writeFileSync(path, '{"pid":');
    lockData(folder).release();
    expect(existsSync(path)).toBe(false);
  });

  test('is had by exactly one of many who come at once over a dead owner’s', async () => {
    writeFileSync(join(folder, 'up.lock'), JSON.stringify({ pid: 999_999_999, startedAt: 'gone' }));
    const script = join(folder, 'race.mjs');
    const source = new URL('../../../dist/embedded/data-lock.js', import.meta.url).href;
    writeFileSync(
      script,
      `import { lockData } from ${JSON.stringify(source)};
       try { lockData(${JSON.stringify(folder)}); process.stdout.write('mine'); await new Promise((r) => process.stdin.once('end', r).resume()); }
       catch (error) { process.stdout.write(error.name); process.exit(); }`,
    );
    const racers = Array.from({ length: 6 }, () =>
      spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const words = await Promise.all(
      racers.map(
        (racer) => new Promise<string>((resolve) => racer.stdout.once('data', (data) => resolve(String(data)))),
      ),
    );
    for (const racer of racers) racer.stdin.end();
    expect(words.sort()).toEqual(['DataInUse', 'DataInUse', 'DataInUse', 'DataInUse', 'DataInUse', 'mine']);
  });
});

describe('what an earlier supervisor left running', () => {
  test('is ended, and a stranger with a recorded pid is not', async () => {
    const [left, stranger] = [await start(), await start()];
    const path = join(folder, 'processes.json');
    writeFileSync(
      path,
      JSON.stringify({
        dialer: { pid: left.pid, startedAt: left.startedAt },
        api: { pid: stranger.pid, startedAt: 'another start' },
      }),
    );
    await endLeftovers(path);
    expect(isRunning(left)).toBe(false);
    expect(isRunning(stranger)).toBe(true);
  });

  test('ends even if it does not listen to SIGTERM', async () => {
    const stubborn = await start("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)");
    const path = join(folder, 'processes.json');
    openProcessList(path).set('worker', stubborn);
    await stubborn.stop(300);
    expect(isRunning(stubborn)).toBe(false);
    await endLeftovers(path);
  });

  test('dies with a supervisor killed with -9', async () => {
    const source = new URL('../../../dist/embedded/child.js', import.meta.url).href;
    const owner = await start(
      `import(${JSON.stringify(source)}).then(async ({ startChild }) => {
         const child = await startChild({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], logFile: ${JSON.stringify(join(folder, 'grandchild.log'))} });
         console.log('grandchild ' + child.pid);
         setInterval(() => {}, 1000);
       })`,
    );
    const said = await vi.waitUntil(
      () => /grandchild (\d+)/.exec(readFileSync(join(folder, 'child.log'), 'utf8')),
      soon,
    );
    const grandchild = identify(Number(said[1]));
    process.kill(owner.pid, 'SIGKILL');
    await vi.waitUntil(() => !isRunning(grandchild), soon);
  });
});

describe('the supervisor', () => {
  test('starts again what dies, says so, and stops in the order asked for', async () => {
    const lines: string[] = [];
    const ended: string[] = [];
    const list = openProcessList(join(folder, 'processes.json'));
    let restarts = 0;
    const supervisor = createSupervisor({ list, say: (line) => lines.push(line), onRestart: () => restarts++ });
    const part = (name: string) => ({
      name,
      start: async (spawned: (child: Child) => void) => {
        const child = await start();
        spawned(child);
        void child.exited.then(() => ended.push(name));
        return child;
      },
    });
    await supervisor.run(part('first'));
    await supervisor.run(part('second'));
    const before = list.pids();
    process.kill(before.first ?? 0, 'SIGKILL');
    await vi.waitUntil(() => restarts === 1, soon);
    expect(list.pids().first).not.toBe(before.first);
    expect(list.pids().second).toBe(before.second);
    expect(lines).toEqual([
      'first was ended by SIGKILL; it is started again in 0.25 s.',
      expect.stringMatching(/^first runs again \(process \d+\)\.$/),
    ]);
    await supervisor.stop([['second'], ['first']]);
    expect(ended).toEqual(['first', 'second', 'first']);
    expect(list.pids()).toEqual({});
  });

  test('gives a part that has conversations to end the time that it asks for', async () => {
    const asked: (number | undefined)[] = [];
    let end: (how: { code: number; signal: null }) => void = () => undefined;
    const exited = new Promise<{ code: number; signal: null }>((resolve) => (end = resolve));
    const child: Child = {
      ...{ pid: process.pid, startedAt: 'now', exited, isOver: () => false },
      stop: (milliseconds) => {
        asked.push(milliseconds);
        end({ code: 0, signal: null });
        return Promise.resolve();
      },
    };
    const list = openProcessList(join(folder, 'processes.json'));
    const supervisor = createSupervisor({ list, say: () => undefined, onRestart: () => undefined });
    await supervisor.run({
      ...{ name: 'agent', stopWithinMs: 945_000 },
      start: (spawned) => {
        spawned(child);
        return Promise.resolve(child);
      },
    });
    await supervisor.stop([['agent']]);
    expect(asked).toEqual([945_000]);
  });

  test('goes on trying, with longer pauses, if a part does not start', async () => {
    const lines: string[] = [];
    const supervisor = createSupervisor({
      list: openProcessList(join(folder, 'processes.json')),
      say: (line) => lines.push(line),
      onRestart: () => lines.push('restarted'),
    });
    let starts = 0;
    await supervisor.run({
      name: 'part',
      start: async (spawned) => {
        if (++starts === 2) throw new Error('no room');
        const child = await start(starts === 1 ? '0' : undefined);
        spawned(child);
        return child;
      },
    });
    await vi.waitUntil(() => lines.includes('restarted'), soon);
    expect(lines[0]).toBe('part ended with code 0; it is started again in 0.25 s.');
    expect(lines[1]).toBe('part does not start: no room');
    await supervisor.stop([['part']]);
  });

  test('D1: a part that serves again stays the only one of its name, whatever happens to those who are told', async () => {
    const lines: string[] = [];
    const list = openProcessList(join(folder, 'processes.json'));
    const supervisor = createSupervisor({
      list,
      say: (line) => lines.push(line),
      onRestart: () => {
        throw new Error('the disk is full');
      },
    });
    const spawnedPids: number[] = [];
    await supervisor.run({
      name: 'part',
      start: async (spawned) => {
        const child = await start();
        spawned(child);
        spawnedPids.push(child.pid);
        return child;
      },
    });
    for (const deaths of [1, 2]) {
      process.kill(list.pids().part ?? 0, 'SIGKILL');
      await vi.waitUntil(() => lines.filter((line) => line.includes('runs again')).length === deaths, soon);
    }
    await vi.waitUntil(() => lines.filter((line) => line.includes('the disk is full')).length === 2, soon);
    expect(spawnedPids).toHaveLength(3);
    expect(list.pids()).toEqual({ part: spawnedPids[2] });
    expect(lines.filter((line) => line.includes('does not start'))).toEqual([]);
    await supervisor.stop([['part']]);
    expect(spawnedPids.filter(isAlive)).toEqual([]);
  });

  test('D1: the process of a start that failed is ended before the next start', async () => {
    const lines: string[] = [];
    const list = openProcessList(join(folder, 'processes.json'));
    const supervisor = createSupervisor({
      list,
      say: (line) => lines.push(line),
      onRestart: () => lines.push('restarted'),
    });
    const aliveAtStart: number[][] = [];
    const pids: number[] = [];
    await supervisor.run({
      name: 'part',
      start: async (spawned) => {
        aliveAtStart.push(pids.filter(isAlive));
        const child = await start();
        pids.push(child.pid);
        spawned(child);
        if (pids.length === 2) throw new Error('it was asked something it could not answer');
        return child;
      },
    });
    process.kill(pids[0]!, 'SIGKILL');
    await vi.waitUntil(() => lines.includes('restarted'), soon);
    expect(aliveAtStart).toEqual([[], [], []]);
    expect(list.pids()).toEqual({ part: pids[2] });
    await supervisor.stop([['part']]);
  });
});

function isAlive(pid: number): boolean {
  return startOf(pid) !== null;
}
