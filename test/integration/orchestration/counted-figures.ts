import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../../../db/client.js';
import { auditBatch } from '../../../db/queries/audit/batches.js';
import { foldFigures } from '../../../db/queries/dialer/fold-figures.js';
import { figuresOfAccount, figuresOfBatch } from '../../../db/queries/figures/figures.js';
import { figureDimensions, type FigureDimension } from '../../../domain/batch/figures.js';
import type { Tenant } from '../../workflow/fixtures.js';
import { timelineIsTrue } from './counted-timeline.js';

interface Ended {
  readonly status: string;
  readonly reason: string | null;
  readonly settled: boolean;
  readonly answeredBy: string | null;
  readonly fromNumber: string;
  readonly variant: string | null;
  readonly attempts: readonly {
    readonly hour: string;
    readonly day: string;
    readonly outcome: string;
    readonly reason: string;
    readonly answeredBy: string | null;
    readonly success: boolean | null;
    readonly cost: number | null;
    readonly unpriced: boolean | null;
  }[];
}

type Sums = Record<
  string,
  [
    calls: number,
    attempts: number,
    answered: number,
    human: number,
    machine: number,
    success: number,
    cost: number,
    unpriced: number,
  ]
>;

/** The figures as the calls themselves tell them, worked out one by one. */
async function counted(db: Db, batchId: string, dimension: FigureDimension): Promise<Sums> {
  const { rows } = await sql<Ended>`
    select c.status, c.reason, c.settled, c.answered_by as "answeredBy", c.from_number as "fromNumber", c.variant, (
      select coalesce(json_agg(json_build_object('hour', to_char(a.dialed_at at time zone b.timezone, 'HH24'),
        'day', to_char(a.dialed_at at time zone b.timezone, 'YYYY-MM-DD'), 'outcome', a.outcome, 'reason', a.reason,
        'answeredBy', a.answered_by, 'success', a.success, 'cost', a.cost, 'unpriced', a.unpriced) order by a.number), '[]')
      from call_attempts a where a.call_id = c.id and a.number <= c.attempts_made) as attempts
    from calls c join batches b on b.id = c.batch_id where c.batch_id = ${batchId}`.execute(db);
  const sums: Sums = {};
  const at = (key: string | number | null | undefined) => (sums[String(key ?? null)] ??= [0, 0, 0, 0, 0, 0, 0, 0]);
  for (const call of rows) {
    const { variant } = call;
    // Calls without one are in no row.
    if (dimension === 'variant' && variant === null) continue;
    const who = (answered: boolean, by: string | null) => (answered ? (by ?? 'unknown') : null);
    call.attempts.forEach(({ hour, day, outcome, reason, answeredBy, success, cost, unpriced }, index) => {
      const by = who(outcome === 'answered', answeredBy);
      const keys = {
        hour: String(Number(hour)),
        day,
        attempt: index + 1,
        status: outcome,
        reason,
        sipStatusCode: null,
      };
      const sum = at({ ...keys, answeredBy: by, phoneNumber: call.fromNumber, variant }[dimension]);
      sum[1] += 1;
      sum[2] += outcome === 'answered' ? 1 : 0;
      sum[3] += by === 'human' ? 1 : 0;
      sum[4] += by === 'machine' ? 1 : 0;
      sum[5] += success === true ? 1 : 0;
      sum[6] += cost ?? 0;
      sum[7] += unpriced === true ? 1 : 0;
    });
    if (!call.settled) continue;
    const last = call.attempts.at(-1);
    const answeredBy = who(call.status === 'answered', call.answeredBy);
    const keys = { ...last, hour: last === undefined ? null : String(Number(last.hour)), sipStatusCode: null };
    const ended = { attempt: call.attempts.length || null, status: call.status, reason: call.reason, answeredBy };
    at({ ...keys, ...ended, day: last?.day, phoneNumber: call.fromNumber, variant }[dimension])[0] += 1;
  }
  return sums;
}

const asSums = (rows: Awaited<ReturnType<typeof figuresOfBatch>>, dimension: FigureDimension): Sums =>
  Object.fromEntries(
    rows.map(({ key, calls, attempts, answered, human, machine, success, costMicros, unpriced }) => [
      dimension === 'hour' && key !== null ? String(Number(key)) : String(key),
      [calls, attempts, answered, human, machine, success, Number(costMicros), unpriced],
    ]),
  );

/** A range of days that holds every call. */
export const everyDay = { from: '2000-01-01', to: '2100-01-01' };

/** Compares the figures with the calls: before they are folded and after, in each dimension, of the batches of an account and of all of them together. */
export async function figuresAreTrue(db: Db, { accountId }: Tenant, batchIds: readonly string[]): Promise<void> {
  for (const fold of [false, true]) {
    if (fold) await foldFigures(db);
    for (const dimension of figureDimensions) {
      const ofAll: Sums = {};
      for (const batchId of batchIds) {
        const kept = asSums(await figuresOfBatch(db, accountId, batchId, dimension), dimension);
        const sums = await counted(db, batchId, dimension);
        expect({ dimension, kept }).toEqual({ dimension, kept: sums });
        for (const [key, [...sum]] of Object.entries(sums)) {
          const so = ofAll[key] ?? [0, 0, 0, 0, 0, 0, 0, 0];
          ofAll[key] = sum.map((each, place) => each + (so[place] ?? 0)) as Sums[string];
        }
      }
      const kept = asSums(await figuresOfAccount(db, accountId, everyDay, dimension), dimension);
      expect({ dimension, kept }).toEqual({ dimension, kept: ofAll });
    }
    for (const batchId of [null, ...batchIds]) await timelineIsTrue(db, { accountId, batchId });
    for (const id of batchIds) {
      const found = await auditBatch(db, { accountId, id }, null);
      expect(found.filter(({ invariant }) => invariant === 'figures' || invariant === 'timeline')).toEqual([]);
    }
  }
}
