import { sql, type RawBuilder } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../../../db/client.js';
import { overviewOf } from '../../../db/queries/accounts/overview.js';
import { accountUsage } from '../../../db/queries/accounts/usage.js';
import { auditBatch } from '../../../db/queries/audit/batches.js';
import { countsOf, findBatchCall, findBatchStats } from '../../../db/queries/batches/batches.js';
import { recordPages } from '../../../db/queries/batches/export.js';
import { allRecords } from '../../../db/queries/batches/record-filter.js';
import { listRecords } from '../../../db/queries/batches/records.js';
import { foldFigures } from '../../../db/queries/dialer/fold-figures.js';
import { figuresOfAccount, figuresOfBatch } from '../../../db/queries/figures/figures.js';
import { batchStatuses } from '../../../domain/batch/batch-call.js';
import { figureDimensions } from '../../../domain/batch/figures.js';
import { recordStatuses } from '../../../domain/call/call.js';
import { fileOrder } from '../../../domain/batch/record-order.js';
import { everyDay } from './counted-figures.js';

/** What figures add up to, whatever they are split by. */
interface Sums {
  /** Calls that are over. */
  readonly calls: number;
  readonly attempts: number;
  /** Attempts that were answered, and the time talked in them. */
  readonly answered: number;
  readonly talkMs: number;
  readonly success: number;
  readonly cost: number;
  readonly unpriced: number;
}

/** What the rows of some calls say, counted one by one. */
interface Counted {
  readonly counts: Readonly<Record<string, number>>;
  /** The time talked in calls that are answered. */
  readonly callMs: number;
  /** Successes by the number that called. */
  readonly numbers: Readonly<Record<string, number>>;
  readonly sums: Sums;
}

const msOf = (a: string) => `coalesce(extract(epoch from ${a}.ended_at - ${a}.answered_at) * 1000, 0)`;
/** As figures have it: each attempt by itself is a whole number of them. */
const wholeMsOf = (a: string) => sql.raw(`coalesce(sum(round(${msOf(a)})), 0)::float8`);
const sumOfMs = (a: string) => sql.raw(`round(coalesce(sum(${msOf(a)}), 0))::float8`);

async function countedOf(db: Db, which: RawBuilder<unknown>): Promise<Counted> {
  const { rows } = await sql<Omit<Counted, 'sums'> & Sums>`
    with own as materialized (select c.* from calls c where c.type = 'outbound' and ${which}),
    made as materialized (
      select a.*, coalesce(a.caller, c.from_number) as made_from from own c
      join call_attempts a on a.call_id = c.id and a.number <= c.attempts_made)
    select
      (select coalesce(json_object_agg(status, n), '{}') from (select status, count(*) as n from own group by 1) s) as counts,
      (select count(*)::integer from own where settled) as calls,
      (select coalesce(sum(attempts_made), 0)::integer from own) as attempts,
      (select count(*)::integer from made where outcome = 'answered') as answered,
      (select ${wholeMsOf('m')} from made m where m.outcome = 'answered') as "talkMs",
      (select ${sumOfMs('m')} from own c
        join made m on m.call_id = c.id and m.number = c.attempts_made where c.status = 'answered') as "callMs",
      (select count(*)::integer from made where success) as success,
      (select coalesce(sum(cost), 0)::float8 from made) as cost,
      (select count(*)::integer from made where unpriced) as unpriced,
      (select coalesce(json_object_agg(made_from, n), '{}') from (
        select made_from, count(*) as n from made where success group by 1) s) as numbers`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The rows gave no answer.');
  const { counts, callMs, numbers, ...sums } = row;
  return { counts, callMs, numbers, sums };
}

const summed = (rows: Awaited<ReturnType<typeof figuresOfBatch>>): Sums => {
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0);
  return {
    calls: sum(({ calls }) => calls),
    attempts: sum(({ attempts }) => attempts),
    answered: sum(({ answered }) => answered),
    talkMs: Math.round(sum(({ talkSeconds }) => talkSeconds * 1000)),
    success: sum(({ success }) => success),
    cost: sum(({ costMicros }) => Number(costMicros)),
    unpriced: sum(({ unpriced }) => unpriced),
  };
};

async function batchIsTrue(db: Db, accountId: string, batchId: string): Promise<void> {
  const rows = await countedOf(db, sql`c.batch_id = ${batchId}`);
  const stats = await findBatchStats(db, accountId, batchId);
  const detail = await findBatchCall(db, accountId, batchId);
  if (stats === null || detail === null) throw new Error(`${batchId} is gone`);
  expect(countsOf(detail)).toEqual(countsOf(stats));
  expect(countsOf(stats)).toMatchObject(
    Object.fromEntries(recordStatuses.map((status) => [status, rows.counts[status] ?? 0])),
  );
  expect({ attempts: stats.attempts, callMs: Math.round(stats.talkSeconds * 1000), cost: stats.cost }).toEqual({
    attempts: rows.sums.attempts,
    callMs: rows.callMs,
    cost: stats.currency === null ? null : { costMicros: String(rows.sums.cost), unpriced: rows.sums.unpriced },
  });
  expect(detail.cost).toEqual(stats.cost);

  const { numbers, sums } = rows;
  for (const dimension of figureDimensions) {
    if (dimension === 'variant') continue;
    const figures = await figuresOfBatch(db, accountId, batchId, dimension);
    expect({ dimension, ...summed(figures) }).toEqual({ dimension, ...sums });
    if (dimension !== 'phoneNumber') continue;
    const succeeded = figures.filter(({ success }) => success !== 0).map(({ key, success }) => [key, success]);
    expect(Object.fromEntries(succeeded)).toEqual(numbers);
  }

  const filter = allRecords(accountId, batchId);
  for (const status of recordStatuses) {
    const { total } = await listRecords(db, { ...filter, statuses: [status] }, fileOrder, { offset: 0, limit: 1 });
    expect({ status, total: total.rows }).toEqual({ status, total: rows.counts[status] ?? 0 });
  }
  const exported = { records: 0, attempts: 0, cost: 0, unpriced: 0 };
  for await (const page of recordPages(db, filter)) {
    for (const { id, attempts, cost, lastAttemptAt } of page) {
      expect({ id, hasLast: lastAttemptAt !== null }).toEqual({ id, hasLast: attempts > 0 });
      exported.records += 1;
      exported.attempts += attempts;
      exported.cost += Number(cost.costMicros);
      exported.unpriced += cost.unpriced;
    }
  }
  const records = Object.values(rows.counts).reduce((all, count) => all + count, 0);
  expect(exported).toEqual({ records, attempts: sums.attempts, cost: sums.cost, unpriced: sums.unpriced });
  expect(await auditBatch(db, { accountId, id: batchId }, null)).toEqual([]);
}

async function accountIsTrue(db: Db, accountId: string): Promise<void> {
  const { sums } = await countedOf(db, sql`c.account_id = ${accountId}`);
  expect(summed(await figuresOfAccount(db, accountId, everyDay, 'day'))).toEqual(sums);

  const { today } = await accountUsage(db, accountId, new Date());
  const { rows: used } = await sql<Record<string, number>>`
    select (select count(*)::integer from calls where account_id = ${accountId} and type = 'outbound' and attempts_made > 0) as calls,
      (select coalesce(sum(attempts_made), 0)::integer from calls where account_id = ${accountId} and type = 'outbound')
        as attempts,
      count(*) filter (where a.phase = 'ended' and a.outcome = 'answered')::integer as answered,
      (select ${sumOfMs('e')} from call_attempts e where e.account_id = ${accountId} and e.phase = 'ended' and e.outcome = 'answered') as "talkMs",
      coalesce(sum(a.cost), 0)::float8 as cost, count(*) filter (where a.unpriced)::integer as unpriced
    from call_attempts a where a.account_id = ${accountId}`.execute(db);
  const { calls, attempts, answered, talkSeconds, costMicros, unpriced } = today;
  const talkMs = Math.round(talkSeconds * 1000);
  expect({ calls, attempts, answered, talkMs, cost: Number(costMicros), unpriced }).toEqual(used[0]);

  const { batches, live } = await overviewOf(db, accountId, batchStatuses);
  const { rows: states } = await sql<{ status: string; count: number }>`
    select status, count(*)::integer as count from batches where account_id = ${accountId} group by 1`.execute(db);
  for (const { status, count } of states) expect(batches).toMatchObject({ [status]: count });
  const { rows: legs } = await sql<{ count: number }>`
    select count(*)::integer as count from call_attempts
    where account_id = ${accountId} and phase in ('dialing', 'ringing', 'answered')`.execute(db);
  expect(live.dialing + live.ringing + live.answered).toBe(legs[0]?.count);
}

/**
 * Compares every figure that is shown of an account and its batches with what its rows say, before the figures are folded and after.
 * No call may be live: its cost is in the figures from its end on.
 */
export async function everyFigureIsTrue(db: Db, accountId: string, batchIds: readonly string[]): Promise<void> {
  for (const fold of [false, true]) {
    if (fold) await foldFigures(db);
    for (const batchId of batchIds) await batchIsTrue(db, accountId, batchId);
    await accountIsTrue(db, accountId);
  }
}
