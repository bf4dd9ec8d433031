import { createConnection } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { Registry } from 'prom-client';
import { hearReports, type Report, type Reports } from '../conversation/reports.js';
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
    die: () => socket.destroy(),
  };
}

test('a worker knows its processes that stand ready and those that talk, until they are gone', async () => {
  const heard: Report[] = [];
  let changes = 0;
  const listening = hearReports(
    (report) => heard.push(report),
    () => (changes += 1),
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

test('metrics tell slots as they are when asked, and how long people waited', async () => {
  const registry = new Registry();
  const now = { slots: 0, used: 0, warm: 0 };
  const metrics = createWorkerMetrics(registry, {
    slots: () => now.slots,
    used: () => now.used,
    warm: () => now.warm,
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
