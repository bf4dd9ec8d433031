import { createConnection } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { Registry } from 'prom-client';
import { askToLoad, hearReports, type Report, type Reports } from '../conversation/reports.js';
import { createStartGate } from '../worker/start-gate.js';
import { createWorkerMetrics } from '../worker/metrics.js';
import { soon } from '../../test/setup/soon.js';

let reports: Reports | undefined;
afterEach(() => reports?.stop());

/** A process of a conversation, as its worker sees it. */
async function aProcess() {
  const socket = createConnection(process.env.OUTDIAL_AGENT_REPORTS ?? '');
  await once(socket, 'connect');
  return {
    tell: (report: Report) => socket.write(`${JSON.stringify(report)}\n`),
    mumble: (words: string) => socket.write(words),
    told: () => once(socket, 'data'),
    die: () => socket.destroy(),
  };
}

test('a worker knows its processes that stand ready and those that talk, until they are gone', async () => {
  const heard: Report[] = [];
  let changes = 0;
  const listening = hearReports(
    (report) => heard.push(report),
    () => (changes += 1),
    createStartGate(),
  );
  reports = listening;
  const [one, two, three] = [await aProcess(), await aProcess(), await aProcess()];
  for (const each of [one, two, three]) each.tell({ kind: 'warm' });
  await vi.waitFor(() => expect(listening.warm).toBe(3), soon);

  one.tell({ kind: 'busy', job: 'AJ_1' });
  two.mumble('{"kind":"gre');
  two.die();
  three.mumble('no report\n');
  await vi.waitFor(() => expect([listening.warm, listening.talking]).toEqual([1, 1]), soon);
  one.die();
  await vi.waitFor(() => expect([listening.warm, listening.talking]).toEqual([1, 0]), soon);
  expect(heard.map(({ kind }) => kind)).toEqual(['warm', 'warm', 'warm', 'busy']);
  expect(changes).toBeGreaterThanOrEqual(6);
});

test('F5: a process loads when its worker says so, and the next when it is warm or gone', async () => {
  reports = hearReports(
    () => undefined,
    () => undefined,
    createStartGate(),
  );
  const told: string[] = [];
  const [one, two, three] = [await aProcess(), await aProcess(), await aProcess()];
  for (const [name, each] of Object.entries({ one, two, three })) {
    each.tell({ kind: 'load' });
    void each.told().then(() => told.push(name));
    if (name === 'one') await vi.waitFor(() => expect(told).toEqual(['one']), soon);
  }
  one.tell({ kind: 'warm' });
  await vi.waitFor(() => expect(told).toHaveLength(2), soon);
  const [, second] = told;
  (second === 'two' ? two : three).die();
  await vi.waitFor(() => expect(told).toHaveLength(3), soon);
});

test('F5: a process without a worker loads at once, and one whose worker is gone does not wait for it', async () => {
  const listening = hearReports(
    () => undefined,
    () => undefined,
    { ask: () => () => undefined, loaded: () => undefined },
  );
  const asked = askToLoad();
  await vi.waitFor(() => expect(process.env.OUTDIAL_AGENT_REPORTS).toBeDefined(), soon);
  listening.stop();
  await asked;
  delete process.env.OUTDIAL_AGENT_REPORTS;
  await askToLoad();
});

test('metrics tell slots as they are when asked, and how long people waited', async () => {
  const registry = new Registry();
  const now = { slots: 0, used: 0, warm: 0 };
  const metrics = createWorkerMetrics(registry, {
    slots: () => now.slots,
    used: () => now.used,
    warm: () => now.warm,
    limit: () => 4,
  });
  Object.assign(now, { slots: 8, used: 3, warm: 2 });
  const told: Report[] = [
    { kind: 'busy', job: 'AJ_1' },
    { kind: 'greeting', ms: 420 },
    { kind: 'turn', ms: 900 },
    { kind: 'failed' },
  ];
  for (const report of told) metrics.count(report);
  const text = await registry.metrics();
  for (const line of [
    'outdial_agent_slots 8',
    'outdial_agent_slots_used 3',
    'outdial_agent_slots_limit 4',
    'outdial_agent_processes_warm 2',
    'outdial_agent_greeting_seconds_bucket{le="0.5"} 1',
    'outdial_agent_greeting_seconds_bucket{le="0.35"} 0',
    'outdial_agent_turn_seconds_sum 0.9',
    'outdial_agent_conversations_total 1',
    'outdial_agent_failures_total 1',
  ]) {
    expect(text).toContain(line);
  }
});
