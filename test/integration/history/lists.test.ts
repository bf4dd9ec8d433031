import fc from 'fast-check';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../db/client.js';
import type { CallFilter } from '../../../db/queries/calls/filter.js';
import { listCalls } from '../../../db/queries/calls/list.js';
import { mostCounted } from '../../../db/queries/counted.js';
import { callStatuses } from '../../../domain/call/call.js';
import { liveKitRoom } from '../../../domain/call/room.js';
import { pageBody } from '../../../api/pagination.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { matchingCalls } from './calls-oracle.js';
import { addCallsOfAllKinds, callees, kinds, ownNumbersOf, rooms } from './calls-of-all-kinds.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
let stranger: Tenant;
let kept: { readonly batchIds: readonly string[]; readonly callIds: readonly string[] };
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 4, name: 'test' });
  tenant = await aTenant(database.db);
  stranger = await aTenant(database.db);
  kept = await addCallsOfAllKinds(database.db, tenant, 400);
  await addCallsOfAllKinds(database.db, stranger, 100);
  await sql`analyze`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await own.close();
});

/** Every row of a list, as a client finds them that goes on until the last page is the current one. */
async function allPages(accountId: string, filter: CallFilter, perPage: number) {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { total, calls } = await listCalls(database.db, accountId, filter, {
      offset: (page - 1) * perPage,
      limit: perPage,
    });
    ids.push(...calls.map(({ call }) => call.id));
    const { pageInfo } = pageBody({ page, perPage }, total, []);
    if (pageInfo.lastPage <= page) return { ids, pageInfo, pages: page };
  }
}

const oneOf = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

/** Filters by what the database holds, of this account and of the other, and by what no call has. */
const filters = () =>
  fc.record({
    ids: fc.option(fc.subarray([...kept.callIds.slice(0, 6), uuidv7()]), { nil: undefined, freq: 6 }),
    roomId: fc.option(fc.constantFrom(...rooms, 'nowhere', `call_${kept.callIds[3]}_1_1`), { nil: undefined, freq: 3 }),
    batchId: oneOf([...kept.batchIds, 'batch_none']),
    gatewayId: oneOf([tenant.gatewayId, `${tenant.gatewayId}-2`, stranger.gatewayId]),
    ruleId: oneOf([tenant.ruleId, `${tenant.ruleId}-2`, stranger.ruleId]),
    type: oneOf(['outbound', 'inbound'] as const),
    talk: fc.option(
      fc.tuple(fc.constantFrom(0, 0.5, 1, 7, 30, 59.5, 300, 7_200, 9_000), fc.nat(4_000)).map(([least, more]) => ({
        least: least === 0 ? undefined : least,
        most: more % 3 === 0 ? undefined : least + more,
      })),
      { nil: undefined },
    ),
    isRecorded: oneOf([true, false]),
    statuses: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.subarray([...callStatuses])),
    search: fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      fc.constantFrom(
        ...ownNumbersOf(tenant),
        ...ownNumbersOf(stranger),
        ...callees,
        '+',
        '1',
        '55',
        '+1',
        '%',
        '_',
        'erased',
      ),
      fc
        .constantFrom(...ownNumbersOf(tenant), ...callees)
        .chain((number) =>
          fc
            .tuple(fc.nat(10), fc.integer({ min: 1, max: 12 }))
            .map(([from, length]) => number.slice(from, from + length)),
        ),
      fc.constant('+49152999'),
    ),
    createdFrom: fc.option(
      fc.nat(400).map((minutes) => new Date(kinds.firstAt.getTime() + minutes * 60_000)),
      {
        nil: undefined,
        freq: 6,
      },
    ),
    createdUntil: fc.option(
      fc.nat(400).map((minutes) => new Date(kinds.firstAt.getTime() + minutes * 60_000)),
      {
        nil: undefined,
        freq: 6,
      },
    ),
  });

/** Most filters together find nothing: keeps a few of them. */
const few = <F extends object>(filter: F, keep: readonly string[]): F =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [
      name,
      keep.includes(name) ? value : name === 'statuses' ? [] : name === 'search' ? '' : undefined,
    ]),
  ) as F;

const names = [
  'ids',
  'roomId',
  'batchId',
  'gatewayId',
  'ruleId',
  'type',
  'talk',
  'isRecorded',
  'statuses',
  'search',
  'createdFrom',
  'createdUntil',
];

const uuidIn = (roomId: string | undefined) => /^call_(.{36})_1_1$/.exec(roomId ?? '')?.[1];

test('every filter and search of calls, alone and together, finds and counts what a plain count finds, newest first', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      filters(),
      fc.subarray(names, { minLength: 0, maxLength: 3 }),
      fc.constantFrom(37, 100),
      async (drawn, keep, perPage) => {
        const chosen = few(drawn, keep);
        const filter: CallFilter = { ...chosen, roomCallId: uuidIn(chosen.roomId) };
        const expected = await matchingCalls(database.db, tenant.accountId, filter);
        const { ids, pageInfo } = await allPages(tenant.accountId, filter, perPage);
        expect(ids).toEqual(expected);
        expect(pageInfo.total).toBe(expected.length);
        expect(pageInfo).not.toHaveProperty('totalIsEstimate');
        found += expected.length;
      },
    ),
    { numRuns: 120, seed: 20_261_122 },
  );
  expect(found).toBeGreaterThan(1_000);
});

test.each([
  ['the account’s own number, called from', () => ({ search: tenant.number })],
  ['part of its own number', () => ({ search: tenant.number.slice(3, 9) })],
  ['its own number in a status', () => ({ search: tenant.number, statuses: ['rejected', 'abandoned'] as const })],
  ['its own number in one direction', () => ({ search: tenant.number, type: 'inbound' as const })],
  ['a number that calls and is called', () => ({ search: callees[0] ?? '' })],
  ['a static room of a rule', () => ({ roomId: 'reception' })],
  ['a room that calls asked for', () => ({ roomId: 'lobby' })],
  ['talks of some length', () => ({ talk: { least: 20, most: 400 } })],
  ['talks of some length by a rule', () => ({ talk: { most: 90.5 }, ruleId: tenant.ruleId })],
  ['long talks in a status, recorded', () => ({ talk: { least: 30 }, statuses: ['ended'] as const, isRecorded: true })],
  ['recordings', () => ({ isRecorded: true })],
  ['calls without a recording', () => ({ isRecorded: false })],
  ['a seldom status', () => ({ statuses: ['abandoned'] as const })],
  ['open statuses', () => ({ statuses: ['initiated', 'ringing', 'answered'] as const })],
])('a search for %s counts what a plain count finds', async (_what, chosen) => {
  const filter: CallFilter = { statuses: [], search: '', ...chosen() };
  const expected = await matchingCalls(database.db, tenant.accountId, filter);
  expect(expected.length).toBeGreaterThan(0);
  const { ids, pageInfo } = await allPages(tenant.accountId, filter, 20);
  expect(ids).toEqual(expected);
  expect(pageInfo.total).toBe(expected.length);
});

test('what another account has is found by no filter and counted by none', async () => {
  const { db } = database;
  const newcomer = await aTenant(db);
  const legRoom = liveKitRoom(tenant.accountId, 'reception');
  for (const filter of [
    {},
    { ids: kept.callIds },
    { batchId: kept.batchIds[0] },
    { gatewayId: tenant.gatewayId },
    { ruleId: tenant.ruleId },
    { roomId: 'reception' },
    { roomId: legRoom },
    { search: tenant.number },
    { search: callees[0] ?? '' },
    { search: '1' },
    { statuses: callStatuses },
    { talk: {} },
    { isRecorded: true },
    { isRecorded: false },
  ]) {
    const { total, calls } = await listCalls(
      db,
      newcomer.accountId,
      { statuses: [], search: '', ...filter },
      { offset: 0, limit: 20 },
    );
    expect({ total, calls }).toEqual({ total: { rows: 0, isEstimate: false }, calls: [] });
  }
});

test('beyond ten thousand a filtered total is an estimate that leads to every call; without a filter it stays exact', async () => {
  const { db } = database;
  const large = await aTenant(db);
  const count = mostCounted + 250;
  await sql`
    insert into calls (id, account_id, to_number, from_number, rule_id, gateway_id, status, ended_as)
    select uuidv7(), ${large.accountId}, '+1303' || lpad(n::text, 7, '0'), ${large.number}, ${large.ruleId},
      ${large.gatewayId}, 'answered', 'answered' from generate_series(1, ${count}) n`.execute(db);
  const everything: CallFilter = { statuses: [], search: '' };
  const page = { offset: 0, limit: 20 };

  expect((await listCalls(db, large.accountId, everything, page)).total).toEqual({ rows: count, isEstimate: false });
  for (const filter of [{ statuses: ['ended'] as const }, { search: large.number }, { gatewayId: large.gatewayId }]) {
    const chosen = { ...everything, ...filter };
    expect((await listCalls(db, large.accountId, chosen, page)).total).toEqual({ rows: mostCounted, isEstimate: true });
    expect((await listCalls(db, large.accountId, chosen, { offset: mostCounted, limit: 100 })).total).toEqual({
      rows: mostCounted + 101,
      isEstimate: true,
    });
  }
  const { ids, pageInfo } = await allPages(large.accountId, { ...everything, search: large.number }, 500);
  expect(new Set(ids).size).toBe(count);
  expect(pageInfo).toEqual({ currentPage: 21, perPage: 500, lastPage: 21, total: count });
});
