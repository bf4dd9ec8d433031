import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../../../db/client.js';
import { timelineBounds, timelineOf, type TimelineOwner } from '../../../db/queries/figures/timeline.js';
import { pointsOf, timelineSteps, type TimelineStep } from '../../../domain/batch/timeline.js';

interface Leg {
  readonly dialed: Date;
  readonly answered: Date | null;
  readonly ended: Date | null;
}

/** Attempts that are over, each counted by its call, and those that are live. */
async function legsOf(db: Db, { accountId, batchId }: TimelineOwner): Promise<Leg[]> {
  const { rows } = await sql<Leg>`
    select a.dialed_at as dialed, coalesce(a.answered_at, case when a.outcome = 'answered' then a.ended_at end) as answered,
      a.ended_at as ended
    from call_attempts a join calls c on c.id = a.call_id
    where c.account_id = ${accountId} and ${batchId === null ? sql`true` : sql`c.batch_id = ${batchId}`}
      and c.type = 'outbound' and a.dialed_at is not null
      and (a.phase in ('dialing', 'ringing', 'answered') or a.phase = 'ended' and a.number <= c.attempts_made)`.execute(
    db,
  );
  return rows;
}

const minute = (at: Date): number => Math.floor(at.getTime() / 60_000) * 60_000;

/** Compares the timeline in each step with what the attempts say, one by one; also from the middle of it on. */
export async function timelineIsTrue(db: Db, owner: TimelineOwner): Promise<void> {
  const legs = await legsOf(db, owner);
  const { first, last } = await timelineBounds(db, owner);
  if (legs.length === 0) {
    expect([first, last]).toEqual([null, null]);
    return;
  }
  const times = legs.flatMap(({ dialed, answered, ended }) => [dialed, answered, ended].filter((at) => at !== null));
  const from = new Date(Math.min(...times.map(minute)));
  const until = new Date(Math.max(...times.map(minute)) + 1);
  expect([first, last]).toEqual([from, new Date(until.getTime() - 1)]);
  // In the middle, and just after some were dialed.
  const begins = [from, new Date((from.getTime() + until.getTime()) / 2)].concat(
    legs.slice(0, 2).map(({ dialed }) => new Date(minute(dialed) + 60_000)),
  );
  for (const step of timelineSteps) {
    for (const begin of begins) await compare(db, owner, legs, { from: begin, until, step });
  }
}

async function compare(
  db: Db,
  owner: TimelineOwner,
  legs: readonly Leg[],
  range: { readonly from: Date; readonly until: Date; readonly step: TimelineStep },
): Promise<void> {
  const { liveBefore, counts } = await timelineOf(db, owner, range);
  const stepMs = range.step * 1000;
  for (const { at, ...point } of pointsOf(range, liveBefore, counts)) {
    const end = at.getTime() + stepMs;
    const inStep = (time: Date | null) => time !== null && time >= at && time.getTime() < end;
    const expected = {
      dialed: legs.filter(({ dialed }) => inStep(dialed)).length,
      answered: legs.filter(({ answered }) => inStep(answered)).length,
      ended: legs.filter(({ ended }) => inStep(ended)).length,
      live: legs.filter(({ dialed, ended }) => dialed.getTime() < end && (ended === null || ended.getTime() >= end))
        .length,
    };
    expect({ step: range.step, at, ...point }).toEqual({ step: range.step, at, ...expected });
  }
}
