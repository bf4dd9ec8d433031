import { z } from 'zod';
import type { Db } from '../../db/client.js';
import { timelineOf, type TimelineBounds, type TimelineOwner } from '../../db/queries/figures/timeline.js';
import {
  fittingStep,
  mostPoints,
  pointsOf,
  stepsBetween,
  timelineSteps,
  type TimelineStep,
} from '../../domain/batch/timeline.js';
import { invalid } from '../../domain/errors.js';
import { instant } from '../fields.js';
import { wholeNumber } from '../pagination.js';

const dayMs = 86_400_000;
const stepList = timelineSteps.join(', ');
const most = mostPoints.toLocaleString('en-US');

const Time = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

const time = (meaning: string) =>
  z
    .string()
    .refine((text) => Time.safeParse(text).success, {
      error: 'must be a date or an instant with its zone: 2027-03-01 or 2027-03-01T09:30:00Z',
    })
    .optional()
    .describe(meaning);

export const timelineQuery = {
  step: z
    .preprocess(wholeNumber, z.literal(timelineSteps, `must be one of ${stepList}`).optional())
    .describe(`Seconds of a step; default the shortest with at most ${most} points`),
  from: time('Instant, or a day (UTC)'),
  to: time('Until this instant, or a day (UTC), which is included'),
};

export interface TimelineQuery {
  readonly step?: TimelineStep | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const Point = z.strictObject({
  at: instant().describe('When the step begins'),
  dialed: z.int().describe('Attempts that were dialed in it'),
  answered: z.int().describe('Picked up in it, also if abandoned'),
  ended: z.int().describe('Attempts that ended in it'),
  live: z.int().describe('Live calls at its end; in the step that goes on, now'),
});

export const Timeline = z
  .strictObject({
    step: z.int().describe('Seconds'),
    points: z.array(Point).describe('One for each step, also for those in which nothing happened'),
  })
  .meta({
    id: 'Timeline',
    examples: [
      { step: 60, points: [{ at: '2027-03-01T04:00:00.000Z', dialed: 120, answered: 71, ended: 88, live: 32 }] },
    ],
  });

/** What is shown if the client names no time. */
export interface ShownTime {
  /** null: nothing was dialed, and there is nothing to show. */
  readonly from: Date | null;
  readonly until: Date;
}

/** An instant, or the end of a day. */
export const endOf = (text: string): Date => new Date(Date.parse(text) + (text.length === 10 ? dayMs : 0));

const refused = (path: string, message: string) =>
  invalid('The request is not valid', [{ path, code: 'OUT_OF_RANGE', message }]);

/** @throws Failure `invalid`, if the time has more steps than are answered; it says which step fits */
function stepFor(asked: TimelineStep | undefined, from: Date, until: Date): TimelineStep {
  const fitting = fittingStep(from, until);
  if (fitting === null) throw refused('from', `must be no more than ${most} days before to`);
  if (asked === undefined) return fitting;
  const steps = stepsBetween({ from, until, step: asked });
  if (steps <= mostPoints) return asked;
  const span = `from ${from.toISOString()} to ${until.toISOString()} there are ${steps.toLocaleString('en-US')} steps`;
  throw refused('step', `must be ${fitting} or more: ${span} of ${asked} seconds, and at most ${most} are answered`);
}

/**
 * The timeline that was asked for, no further than now.
 *
 * @throws Failure `invalid`
 */
export async function timelineBody(
  db: Db,
  owner: TimelineOwner,
  query: TimelineQuery,
  { now, last }: Pick<TimelineBounds, 'now' | 'last'>,
  shown: ShownTime,
): Promise<z.output<typeof Timeline>> {
  const to = query.to === undefined ? shown.until : endOf(query.to);
  const from = query.from === undefined ? shown.from : new Date(query.from);
  if (from === null) return { step: query.step ?? timelineSteps[0], points: [] };
  if (query.to !== undefined && to <= from) throw refused('to', `must be after from, which is ${from.toISOString()}`);
  const known = new Date(Math.max(now.getTime(), last?.getTime() ?? 0) + 1);
  const until = to < known ? to : known;
  const step = stepFor(query.step, from, until);
  const range = { from, until, step };
  if (stepsBetween(range) === 0) return { step, points: [] };
  const { liveBefore, counts } = await timelineOf(db, owner, range);
  const points = pointsOf(range, liveBefore, counts);
  return { step, points: points.map((point) => ({ ...point, at: point.at.toISOString() })) };
}
