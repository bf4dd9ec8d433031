import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fittingStep, mostPoints, pointsOf, stepsBetween, timelineSteps } from '../../../domain/batch/timeline.js';

const dayMs = 86_400_000;
const from = new Date('2027-03-01T09:00:30Z');
const after = (ms: number) => new Date(from.getTime() + ms);

test('the shortest step that fits is found, and none if the time is longer than any allows', () => {
  expect(fittingStep(from, after(dayMs))).toBe(60);
  expect(fittingStep(from, after(2 * dayMs))).toBe(300);
  expect(fittingStep(from, after(15 * dayMs))).toBe(900);
  expect(fittingStep(from, after(62 * dayMs))).toBe(3_600);
  expect(fittingStep(from, after(366 * dayMs))).toBe(21_600);
  expect(fittingStep(from, after(mostPoints * dayMs - 10 * 3_600_000))).toBe(86_400);
  expect(fittingStep(from, after(mostPoints * dayMs))).toBeNull();
});

test('there are never more points than allowed, they have no gaps, and cover the whole time', () => {
  fc.assert(
    fc.property(fc.nat(40_000), fc.integer({ min: 1, max: 1_400 * 1_440 }), (start, minutes) => {
      const range = { from: after(start * 1000), until: after(start * 1000 + minutes * 60_000) };
      const step = fittingStep(range.from, range.until) ?? 86_400;
      const points = pointsOf({ ...range, step }, 0, []);
      expect(points.length).toBeLessThanOrEqual(mostPoints);
      expect(points.length).toBe(stepsBetween({ ...range, step }));
      const [first, last] = [points[0]!.at.getTime(), points.at(-1)!.at.getTime()];
      expect(first % (step * 1000)).toBe(0);
      expect(first).toBeLessThanOrEqual(range.from.getTime());
      expect(last).toBeLessThan(range.until.getTime());
      expect(last + step * 1000).toBeGreaterThanOrEqual(range.until.getTime());
      expect(last - first).toBe((points.length - 1) * step * 1000);
    }),
  );
});

test('live calls are those from before and those dialed since, less those that ended', () => {
  const at = (minute: number) => new Date(Date.parse('2027-03-01T09:00:00Z') + minute * 60_000);
  const counts = [
    { at: at(0), dialed: 3, answered: 1, ended: 1 },
    { at: at(2), dialed: 0, answered: 1, ended: 5 },
  ];
  const points = pointsOf({ from, until: at(4), step: 60 }, 4, counts);
  expect(points.map(({ live }) => live)).toEqual([6, 6, 1, 1]);
  expect(points[1]).toEqual({ at: at(1), dialed: 0, answered: 0, ended: 0, live: 6 });
});

test('each step is a whole number of one that is kept', () => {
  for (const step of timelineSteps) expect(step % (step < 3_600 ? 60 : 3_600)).toBe(0);
});
