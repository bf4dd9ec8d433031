import { describe, expect, test } from 'vitest';
import { foldFigures } from '../../../db/queries/dialer/fold-figures.js';
import { api, here } from '../support.js';
import { aBatch } from './support.js';
import { aDialedBatch, at } from './support-timeline.js';

const timelineOf = async (batchId: string, query = '') =>
  (await api.get(`/v1/batch-calls/${batchId}/timeline${query}`)).body;

describe('200', () => {
  // shows: batches.timeline
  test('each step says what was dialed, answered and ended in it and how many calls were live at its end, from the first call to the last', async () => {
    const batchId = await aDialedBatch([
      [10, 30],
      [40, 70],
      [55, 250],
    ]);
    const points = [
      { at: at(0), dialed: 3, answered: 2, ended: 1, live: 2 },
      { at: at(60), dialed: 0, answered: 0, ended: 1, live: 1 },
      { at: at(120), dialed: 0, answered: 1, ended: 0, live: 1 },
      { at: at(180), dialed: 0, answered: 0, ended: 0, live: 1 },
      { at: at(240), dialed: 0, answered: 0, ended: 1, live: 0 },
    ];
    expect(await timelineOf(batchId, '?step=60')).toEqual({ step: 60, points });
    await foldFigures(here().database.db);
    expect(await timelineOf(batchId)).toEqual({ step: 60, points });
    expect(await timelineOf(batchId, '?step=86400')).toEqual({
      step: 86_400,
      points: [
        { at: '2026-03-01T00:00:00.000Z', dialed: 3, answered: 2, ended: 2, live: 1 },
        { at: '2026-03-02T00:00:00.000Z', dialed: 0, answered: 1, ended: 1, live: 0 },
      ],
    });
  });

  test('a part of it knows which calls were live before', async () => {
    const batchId = await aDialedBatch([
      [10, 130],
      [50, 7_000],
    ]);
    await foldFigures(here().database.db);
    expect(await timelineOf(batchId, `?step=60&from=${at(110)}&to=${at(180)}`)).toEqual({
      step: 60,
      points: [
        { at: at(60), dialed: 0, answered: 1, ended: 0, live: 2 },
        { at: at(120), dialed: 0, answered: 0, ended: 1, live: 1 },
      ],
    });
    const { points } = (await timelineOf(batchId, '?step=300&from=2026-03-02T01:02:00%2B01:00')) as {
      points: { live: number }[];
    };
    expect(points[0]).toMatchObject({ at: '2026-03-02T00:00:00.000Z', dialed: 0, live: 1 });
    expect(points.at(-1)).toMatchObject({ live: 0 });
  });

  test('of a batch that runs it goes on to now, with the calls that are live', async () => {
    const batchId = await aDialedBatch([[10, 40], [20]], false);
    const { step, points } = (await timelineOf(batchId, '?step=86400')) as { step: number; points: object[] };
    expect(step).toBe(86_400);
    expect(points[0]).toMatchObject({ dialed: 2, answered: 2, ended: 1, live: 1 });
    expect(points.at(-1)).toMatchObject({ live: 1 });
    expect(points.length).toBeGreaterThan(1);
  });

  test('a batch of which nobody has been called has no points', async () => {
    const { batchId } = await aBatch({});
    expect(await timelineOf(batchId)).toMatchObject({ points: [] });
  });
});

describe('400', () => {
  test('a step of which there are too many is refused with the one that fits, and so is a time of too many days', async () => {
    const batchId = await aDialedBatch([[0, 3 * 86_400]]);
    const refusal = async (query: string) => {
      const { status, body } = await api.get(`/v1/batch-calls/${batchId}/timeline?${query}`);
      return `${status} ${JSON.stringify(body)}`;
    };
    expect(await refusal('step=60')).toMatch(/400 .*must be 300 or more.*4,321 steps of 60 seconds/);
    expect(await refusal('step=61')).toMatch(/400 .*must be one of 60, 300, 900, 3600, 21600, 86400/);
    expect(await refusal('from=2020-01-01')).toMatch(/400 .*no more than 1,500 days before to/);
    expect(await refusal('from=2026-03-02&to=2026-03-01')).toMatch(/400 .*must be after from/);
    expect(await refusal('from=yesterday&step=x')).toMatch(/400 .*must be a date or an instant.*must be one of 60/);
  });
});

describe('404', () => {
  test('another account’s batch is not found', async () => {
    const { status, body } = await api.get('/v1/batch-calls/batch_0190000000007000800000000000000a/timeline');
    expect(status).toBe(404);
    expect(JSON.stringify(body)).toContain('Batch call not found');
  });
});
