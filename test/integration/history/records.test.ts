import fc from 'fast-check';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../db/client.js';
import { allRecords, matchingRecords, type RecordFilter } from '../../../db/queries/batches/record-filter.js';
import { sortedPlaces, walkedPlaces } from '../../../db/queries/batches/record-pages.js';
import { listRecords } from '../../../db/queries/batches/records.js';
import type { TalkRange } from '../../../db/queries/batches/talk-range.js';
import { recordSorts, type RecordOrder, type RecordSort } from '../../../domain/batch/record-order.js';
import { answeredByValues, recordStatuses, type RecordStatus } from '../../../domain/call/call.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aRunningBatch } from '../orchestration/running-batch.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';

const records = 240;
const reasons = ['callee_hung_up', 'busy', 'no_answer', 'sip_503'] as const;

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
let batchId: string;

beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 4, name: 'test' });
  tenant = await aTenant(database.db);
  ({ batchId } = await aRunningBatch(database.db, tenant, records));
  await aRunningBatch(database.db, tenant, 50);
  await playOut();
  await sql`
    update calls set variant = (array['agt_a', 'ver_b', null])[1 + position / 5 % 3] where batch_id = ${batchId}`.execute(
    database.db,
  );
  await sql`analyze`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await own.close();
});

/** Calls end in every way, step by step as they do, and some of them twice. */
async function playOut(): Promise<void> {
  const { db } = database;
  const change = (what: string, where: string) =>
    sql`update calls set ${sql.raw(what)}, updated_at = clock_timestamp()
      where batch_id = ${batchId} and ${sql.raw(where)}`.execute(db);
  await change(`status = 'retrying', attempts_made = 1, reason = 'busy', sip_status_code = 486`, 'position % 4 > 0');
  await change(
    `status = (array['answered', 'failed', 'missed', 'cancelled'])[1 + position % 4], attempts_made = 1 + position % 3,
      reason = (array['callee_hung_up', 'busy', 'no_answer', 'sip_503', null])[1 + position % 5],
      sip_status_code = (array[200, 486, 503, null])[1 + position % 4], ended_at = clock_timestamp() + position % 7 * interval '1 s',
      talk_seconds = case when position % 4 = 0 and position % 3 > 0 then position % 11 + 0.125 end`,
    'position % 6 > 1',
  );
  await change(
    `answered_by = (array['human', 'machine', 'unknown', null])[1 + position / 4 % 4]`,
    `status = 'answered' and position % 2 = 0`,
  );
  await change(
    `analysis = jsonb_build_object('kept', position % 8 = 0, 'city', (array['Pune', 'Delhi'])[1 + position / 8 % 2], 'n', position)`,
    `status = 'answered'`,
  );
  await change(`analysis = analysis || '{"kept": false}'`, `status = 'answered' and position % 16 = 0`);
  await change(`status = 'retrying', analysis = null, talk_seconds = null, ended_at = null`, 'position % 20 = 4');
  await change(`status = 'dialing'`, `status = 'pending' and position % 24 = 0`);
  await playAttempts();
}

/** The attempts of open calls: that plan a retry, that a client asked for, and that are live. */
async function playAttempts(): Promise<void> {
  const { db } = database;
  await sql`
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, phase, claimed_by, due_at,
      outcome, next_attempt_at, again)
    select c.id, z.number, c.account_id, c.batch_id, c.gateway_id, c.position, c.to_number, z.phase, gen_random_uuid(), now(),
      case z.phase when 'ended' then 'failed' end, case z.phase when 'ended' then now() end, z.phase = 'queued'
    from calls c
    cross join lateral (
      select case c.status when 'retrying' then case when position % 20 = 4 then 'queued' else 'ended' end else c.status end as phase,
        c.attempts_made + (c.status = 'dialing' or position % 20 = 4)::integer as number) z
    where c.batch_id = ${batchId} and c.status in ('retrying', 'dialing')`.execute(db);
}

interface Plain {
  readonly position: number;
  readonly status: RecordStatus;
  readonly settled: boolean;
  readonly reason: string | null;
  readonly code: number | null;
  readonly attempts: number;
  readonly answeredBy: string | null;
  readonly talk: number | null;
  readonly endedAt: string | null;
  readonly number: string;
  readonly variant: string | null;
  readonly analysis: Readonly<Record<string, unknown>> | null;
}

/** What the rows themselves say. */
async function plainRows(): Promise<Plain[]> {
  const { rows } = await sql<Plain>`
    select position, status, settled, reason, sip_status_code as code, attempts_made as attempts, answered_by as "answeredBy",
      talk_seconds as talk, (extract(epoch from coalesce(ended_at, ended_time)) * 1000000)::bigint::text as "endedAt",
      to_number as number, analysis, variant
    from calls where batch_id = ${batchId} order by position`.execute(database.db);
  return rows;
}

const has = <T>(asked: readonly T[], value: T | null): boolean =>
  asked.length === 0 || (value !== null && asked.includes(value));

const whoAnswered = ({ status, answeredBy }: Plain) => (status === 'answered' ? (answeredBy ?? 'unknown') : null);

const fits = (filter: RecordFilter, row: Plain): boolean =>
  has(filter.statuses, row.status) &&
  has<string>(filter.answeredBy, whoAnswered(row)) &&
  has<string>(filter.reasons, row.reason) &&
  has(filter.attempts, row.attempts) &&
  has(filter.sipStatusCodes, row.code) &&
  filter.analysis.every(({ field, value }) => row.analysis !== null && String(row.analysis[field]) === value) &&
  (filter.talk === undefined || isWithin(filter.talk, row)) &&
  has(filter.variants ?? [], row.variant) &&
  row.number.includes(filter.search);

const isWithin = ({ least = 0, most = Infinity }: TalkRange, { settled, talk }: Plain): boolean =>
  settled && talk !== null && talk >= least && talk <= most;

const valueOf: Readonly<Record<RecordSort, (row: Plain) => string | number | null>> = {
  position: () => null,
  phoneNumber: ({ number }) => number,
  status: ({ settled, status }) => (settled ? status : null),
  reason: ({ settled, reason }) => (settled ? reason : null),
  attempts: ({ settled, attempts }) => (settled ? attempts : null),
  sipStatusCode: ({ settled, code }) => (settled ? code : null),
  answeredBy: whoAnswered,
  callDuration: ({ settled, talk }) => (settled ? talk : null),
  endedAt: ({ settled, endedAt }) => (settled ? endedAt : null),
};

function compare(order: RecordOrder, a: Plain, b: Plain): number {
  const [one, other] = [valueOf[order.by](a), valueOf[order.by](b)];
  if ((one === null) !== (other === null)) return one === null ? 1 : -1;
  const way = order.descending ? -1 : 1;
  if (one !== null && other !== null && one !== other) return one < other ? -way : way;
  return way * (a.position - b.position);
}

const filters = (): fc.Arbitrary<RecordFilter> =>
  fc.record({
    accountId: fc.constant(tenant.accountId),
    batchId: fc.constant(batchId),
    statuses: few([...recordStatuses]),
    answeredBy: few([...answeredByValues]),
    reasons: few([...reasons, 'lost']),
    attempts: few([0, 1, 2, 3, 9]),
    sipStatusCodes: few([200, 486, 503, 603]),
    analysis: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      fc.subarray([
        { field: 'kept', value: 'true' },
        { field: 'city', value: 'Pune' },
        { field: 'n', value: '24' },
        { field: 'none', value: '1' },
      ]),
    ),
    talk: fc.option(fc.constantFrom({ least: 4 }, { most: 3.125 }, { least: 2, most: 8 }, { least: 50 }), {
      nil: undefined,
      freq: 3,
    }),
    variants: few(['agt_a', 'ver_b', 'ver_none']),
    search: fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.constantFrom('+1', '0007', 'x')),
  });

const few = <T>(values: T[]) => fc.oneof({ weight: 3, arbitrary: fc.constant<T[]>([]) }, fc.subarray(values));

const orders = fc.record({ by: fc.constantFrom(...recordSorts), descending: fc.boolean() });

test('filters and orders of records, alone and together, show and count what the rows themselves say, by page and by cursor', async () => {
  const rows = await plainRows();
  let found = 0;
  await fc.assert(
    fc.asyncProperty(filters(), orders, fc.constantFrom(7, 100), async (filter, order, limit) => {
      const expected = rows.filter((row) => fits(filter, row)).sort((a, b) => compare(order, a, b));
      const places = expected.map(({ position }) => position);
      const byPage: number[] = [];
      for (let offset = 0; ; offset += limit) {
        const page = await listRecords(database.db, filter, order, { offset, limit });
        expect(page.total).toEqual({ rows: places.length, isEstimate: false });
        byPage.push(...page.rows.map(({ position }) => position));
        if (page.next === null) break;
      }
      expect(byPage).toEqual(places);
      expect(await byCursor(filter, order, limit)).toEqual(places);
      found += places.length;
    }),
    { numRuns: 60, seed: 20_261_123 },
  );
  expect(found).toBeGreaterThan(1_000);
});

async function byCursor(filter: RecordFilter, order: RecordOrder, limit: number): Promise<number[]> {
  const all: number[] = [];
  const byCursor = true;
  let page = await listRecords(database.db, filter, order, { offset: 0, limit, byCursor });
  for (;;) {
    all.push(...page.rows.map(({ position }) => position));
    if (page.next === null) return all;
    const { next: after, total: counted } = page;
    page = await listRecords(database.db, filter, order, {
      ...{ offset: all.length, limit, after, counted, byCursor },
    });
  }
}

test('what is read from the indexes for many records is what is sorted for few', async () => {
  await fc.assert(
    fc.asyncProperty(
      filters(),
      orders,
      fc.nat(60),
      fc.constantFrom(1, 9, 300),
      async (filter, order, offset, limit) => {
        await database.db.transaction().execute(async (tx) => {
          const matching = await matchingRecords(tx, filter);
          const sorted = await sortedPlaces(tx, matching, order, { offset, limit });
          expect(await walkedPlaces(tx, matching, order, { offset, limit })).toEqual(sorted);
          const after = sorted.at(Math.floor(sorted.length / 2));
          if (after === undefined) return;
          const following = { offset: 0, limit, after };
          expect(await walkedPlaces(tx, matching, order, following)).toEqual(
            await sortedPlaces(tx, matching, order, following),
          );
        });
      },
    ),
    { numRuns: 150, seed: 20_261_123 },
  );
});

test('a record whose analysis is emptied, or that is deleted, is found by nothing that was found out in it', async () => {
  const { db } = database;
  const filter = { ...allRecords(tenant.accountId, batchId), analysis: [{ field: 'n', value: '8' }] };
  const places = async () =>
    (await listRecords(db, filter, { by: 'position', descending: false }, { offset: 0, limit: 20 })).rows.length;
  expect(await places()).toBe(1);
  await sql`update calls set analysis = null where batch_id = ${batchId} and position = 8`.execute(db);
  expect(await places()).toBe(0);
  await sql`update calls set analysis = '{"n": 8}' where batch_id = ${batchId} and position = 8`.execute(db);
  expect(await places()).toBe(1);
  await sql`delete from calls where batch_id = ${batchId} and position = 8`.execute(db);
  const { rows } = await sql`select 1 from record_analyses where batch_id = ${batchId} and position = 8`.execute(db);
  expect(rows).toEqual([]);
});

test('another account finds no record of the batch', async () => {
  const stranger = await aTenant(database.db);
  for (const by of recordSorts) {
    for (const asked of [
      {},
      { reasons: ['busy'] as const },
      { talk: { least: 1 } },
      { hasRecording: true },
      { analysis: [{ field: 'kept', value: 'true' }] },
    ]) {
      const filter = { ...allRecords(stranger.accountId, batchId), ...asked };
      const page = await listRecords(database.db, filter, { by, descending: false }, { offset: 0, limit: 20 });
      expect(page).toEqual({ total: { rows: 0, isEstimate: false }, rows: [], next: null, searched: null });
    }
  }
});

test('a call that is over when it is stored says how it ended', async () => {
  const { db } = database;
  const id = uuidv7();
  await sql`
    insert into calls (id, account_id, to_number, from_number, rule_id, gateway_id, status, reason, batch_id, position)
    values (${id}, ${tenant.accountId}, '+12125550100', '+1', 'r', 'g', 'failed', 'busy', ${batchId}, 9999)`.execute(
    db,
  );
  const { rows } = await sql<{ facts: string; time: Date | null }>`
    select ended_facts as facts, ended_time as time from calls where id = ${id}`.execute(db);
  expect(rows).toEqual([{ facts: 'failed|busy||0||', time: expect.any(Date) }]);
});
