import { expect, test } from 'vitest';
import { cancelStep } from '../../../db/queries/batches/cancel.js';
import { finishBatch } from '../../../db/queries/batches/finish.js';
import { startBatch } from '../../../db/queries/batches/start.js';
import { api, here } from '../support.js';
import { rowsOf } from '../support-resources.js';
import { aBatchOf } from './support-records.js';
import { aBatch } from './support.js';

/** How many times each race is run: who comes first differs from one to the next. */
const rounds = Array.from({ length: 12 }, (_unused, round) => round);

interface Row {
  readonly status: string;
  readonly starts_at: Date;
  readonly started_at: Date | null;
  readonly deliveries: number;
}
const rowOf = async (batchId: string): Promise<Row> => {
  const [row] = await rowsOf<Row>(
    `select status, starts_at, started_at, (select count(*)::int from webhook_deliveries where batch_id = b.id) as deliveries
     from batches b where id = $1`,
    [batchId],
  );
  return row!;
};

test('of a cancel and the completion of a batch one comes first: it ends once, and the other hears of it', async () => {
  const { db } = here().database;
  const accountId = here().me.account.id;
  for (const round of rounds) {
    const number = `+9198775000${String(round).padStart(2, '0')}`;
    const { batchId } = await aBatchOf([{ phoneNumber: number }], { status: 'running' });
    await rowsOf(
      `update batches set webhook_endpoint = 'https://example.com', webhook_events = '{batchcall-completed}' where id = $1`,
      [batchId],
    );

    const [cancelled, finished] = await Promise.all([
      api.post(`/v1/batch-calls/${batchId}/cancel`),
      finishBatch(db, accountId, batchId),
    ]);

    expect(finished.status).toBe('completed');
    // A cancel that comes first has no call to drop; the completion that waited for it ends the batch.
    expect([202, 409]).toContain(cancelled.status);
    await cancelStep(db, accountId, batchId);
    expect((await finishBatch(db, accountId, batchId)).status).toBe('completed');
    expect(await rowOf(batchId)).toMatchObject({ status: 'completed', deliveries: 1 });
  }
});

test('of a start that is moved and the start itself one comes first: a batch that started was not moved', async () => {
  const { db } = here().database;
  const accountId = here().me.account.id;
  const date = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  const outcomes = await Promise.all(
    rounds.map(async () => {
      const { batchId } = await aBatch({ status: 'scheduled' });
      const [changed, started] = await Promise.all([
        api.patch(`/v1/batch-calls/${batchId}`, { schedule: { date, time: '10:00', timezone: 'UTC' } }),
        startBatch(db, accountId, batchId, new Date()),
      ]);
      const { status, starts_at: startsAt } = await rowOf(batchId);
      return { answer: changed.status, started, status, moved: startsAt.toISOString() === `${date}T10:00:00.000Z` };
    }),
  );
  for (const outcome of outcomes) {
    expect(outcome).toEqual(
      outcome.started
        ? { answer: 409, started: true, status: 'running', moved: false }
        : { answer: 200, started: false, status: 'scheduled', moved: true },
    );
  }
});

test('two cancels, a pause and a change at the same time leave one order of things', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { batchId } = await aBatch();
    const answers = await Promise.all([
      api.post(`/v1/batch-calls/${batchId}/cancel`, { mode: 'graceful' }),
      api.post(`/v1/batch-calls/${batchId}/cancel`, { mode: 'immediate' }),
      api.post(`/v1/batch-calls/${batchId}/pause`),
      api.patch(`/v1/batch-calls/${batchId}`, { maxConcurrentCalls: 2 }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 200, 200]);
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
      status: 'cancelling',
      paused: true,
      maxConcurrentCalls: 2,
    });
  }
});
