import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueAttempts } from '../../db/queries/calls/queue-attempts.js';
import { instants, lists, someZones } from '../property/random-windows.js';
import { isListOpenAt } from './hours.js';
import { unlimited } from './judge-numbers.js';
import { accountId, batchId, callIdAt, setUp, type Setting } from './setting.js';
import { openStage, type Stage } from './stage.js';

const dialer = '01900000-0000-7000-8000-0000000000d1';
const runs = 40;

const setting: Setting = {
  ...{ begins: { turn: 'noon', secondsBefore: 1 }, hours: null, singles: [], agents: null },
  gateways: [{ callsPerSecond: 5, maxConcurrentCalls: 5, reservedCalls: 0, numbers: [unlimited] }],
  batches: [
    {
      ...{ gateway: 0, retryDelaysSeconds: [], maxConcurrentCalls: null, window: null, open: false, pool: null },
      ...{
        stopAfter: null,
        stopAfterSuccess: null,
        maxCost: null,
        untilSeconds: null,
        priority: 5,
        preDial: null,
        callees: [0],
      },
    },
  ],
};

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const setClock = (ms: number) => stage.admin.query(`select setval('virtual.clock', $1)`, [Math.round(ms * 1_000)]);

async function claimed(): Promise<string | null> {
  await stage.admin.query('update gateway_admission set next_claim_at = clock_timestamp()');
  const { rows } = await stage.admin.query<{ claimed_claim_id: string }>('select * from claim_attempts($1, 5)', [
    dialer,
  ]);
  return rows[0]?.claimed_claim_id ?? null;
}

interface Verdict {
  readonly passed: boolean;
  readonly refusal: string | null;
  readonly closes_in_ms: number | null;
}
async function gated(claim: string): Promise<Verdict | undefined> {
  await stage.admin.query('update call_attempts set dial_at = clock_timestamp()');
  const { rows } = await stage.admin.query<Verdict>(
    `select passed, refusal, closes_in_ms from gate_attempts($1, array[$2]::uuid[], '{1}', '{1}', '{room}', '{0}', '{null}',
      array[$3]::uuid[], '{null}', '{5000}')`,
    [dialer, callIdAt(0), claim],
  );
  return rows[0];
}

// shows: window.list
test('queue, claim and gate of PostgreSQL let a call out by a random list exactly when clocks and calendars of its zones say so', async () => {
  let passed = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(lists, someZones, instants, fc.nat(999), async (made, zones, from, salt) => {
      const list = made(from);
      const isOpen = (ms: number): boolean => zones.every((zone) => isListOpenAt(list, zone, ms));
      await setClock(from.getTime());
      await stage.empty();
      await setUp(stage.plain.db, setting, from.getTime());
      await stage.admin.query('update batches set calling_window = $1', [JSON.stringify(list)]);
      await stage.admin.query('update calls set time_zones = $1', [zones]);
      await stage.admin.query(
        `insert into dialer_processes (id, host, pid, lease_until) values ($1, 'here', 1, 'infinity')`,
        [dialer],
      );
      const queue = { accountId, batchId: batchId(0), attempts: [[callIdAt(0), 1]] as const };
      await queueAttempts(stage.plain.db, queue, from);
      const { rows } = await stage.admin.query<{ due_at: Date; not_after: Date }>('select * from call_attempts');
      const [attempt] = rows;
      if (attempt === undefined) return;
      const [opensMs, closesMs] = [attempt.due_at.getTime(), attempt.not_after.getTime()];
      if (closesMs <= opensMs) {
        // It opens in none of its zones at once, and is looked for again a day later.
        const dayMs = 86_400_000;
        const someMs = Array.from(
          { length: 200 },
          (_, place) => from.getTime() + ((place + salt / 1_000) * 20 * dayMs) / 200,
        );
        expect(someMs.filter(isOpen)).toEqual([]);
        return;
      }
      expect([opensMs, closesMs - 1].map(isOpen)).toEqual([true, true]);
      if (opensMs > from.getTime()) {
        // Any instant before.
        const beforeMs = from.getTime() + Math.floor(((opensMs - from.getTime()) * salt) / 1_000);
        expect([beforeMs, opensMs - 1].map(isOpen)).toEqual([false, false]);
        await setClock(opensMs - 1);
        expect(await claimed()).toBeNull();
      }
      await setClock(opensMs);
      const claim = await claimed();
      expect(claim).not.toBeNull();
      // Within, or after its end, at which another window may follow only later.
      const atMs = salt % 3 === 0 ? closesMs : opensMs + Math.floor(((closesMs - opensMs) * salt) / 1_000);
      await setClock(atMs);
      const verdict = await gated(claim ?? '');
      if (atMs < closesMs) {
        passed += 1;
        expect(isOpen(atMs)).toBe(true);
        expect(verdict).toMatchObject({ passed: true });
        expect(verdict?.closes_in_ms).toBeCloseTo(closesMs - atMs, 2);
      } else {
        refused += 1;
        expect(isOpen(atMs)).toBe(false);
        expect(verdict).toMatchObject({ passed: false, refusal: 'window_closed' });
      }
    }),
    { numRuns: runs, seed: 42, endOnFailure: true },
  );
  expect([passed > runs / 3, refused > runs / 6]).toEqual([true, true]);
});
