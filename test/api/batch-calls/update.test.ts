import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { BatchCallDetail } from '../../../api/batch-calls/detail.js';
import { UpdateBatchCallBody } from '../../../api/batch-calls/update-body.js';
import { finishedStatuses } from '../../../domain/batch/batch-call.js';
import { rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';
import { aBatch, outboxOf } from './support.js';

describe('200', () => {
  const url = (batchId: string) => `/v1/batch-calls/${batchId}`;
  const get = async (batchId: string) => (await api.get(url(batchId))).body as Record<string, unknown>;

  const change = async (batchId: string, body: unknown) => {
    const response = await api.patch(url(batchId), body);
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    return response.body as Record<string, unknown>;
  };

  const reconsider = { kind: 'signal', name: 'reconsider', input: {} };

  // shows: batches.patch
  test.each([...finishedStatuses, 'running'] as const)(
    'name and description of a batch that is %s are changed, and the answer is what GET says',
    async (status) => {
      const { batchId } = await aBatch({ status, description: 'Before' });
      const answer = await change(batchId, { name: 'After', description: null });
      expect(answer).toMatchObject({ batchName: 'After' });
      expect(answer).not.toHaveProperty('description');
      expect(await get(batchId)).toEqual(answer);
      expect(await outboxOf(batchId)).toEqual([]);
      expect(await rowsOf('select action, details from audit_log where target = $1', [batchId])).toEqual([
        { action: 'batch-call.update', details: { fields: ['name', 'description'] } },
      ]);
    },
  );

  describe('schedule', () => {
    const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

    // shows: batches.patch.schedule
    test.each(['parsing', 'scheduled'] as const)(
      'of a batch that is %s is moved, and its workflow told',
      async (status) => {
        const { batchId } = await aBatch({ status });
        const kicks = here().kicks;

        const answer = await change(batchId, { schedule: { date: soon, time: '10:30', timezone: 'Europe/Berlin' } });

        expect(answer).toMatchObject({
          timing: 'scheduled',
          scheduledDate: soon,
          scheduledTime: '10:30',
          timezone: 'Europe/Berlin',
          status,
        });
        expect(new Date((answer.timestamp as number) * 1000).toISOString()).toMatch(new RegExp(`^${soon}T0[89]:30:00`));
        expect(await outboxOf(batchId)).toEqual([reconsider]);
        expect(here().kicks).toBe(kicks + 1);
      },
    );

    test('that is cleared makes the batch an immediate one', async () => {
      const { batchId } = await aBatch({ status: 'scheduled' });
      await change(batchId, { schedule: { date: soon, time: '10:30', timezone: 'Europe/Berlin' } });
      const answer = await change(batchId, { schedule: null });
      expect(answer).toMatchObject({ timing: 'immediate', timezone: 'Asia/Calcutta' });
      expect(answer).not.toHaveProperty('scheduledDate');
      const [row] = await rowsOf<{ due: boolean }>('select starts_at <= now() as due from batches where id = $1', [
        batchId,
      ]);
      expect(row).toEqual({ due: true });
    });
  });

  // shows: batches.patch.running
  test('a calling window holds the batch until the queue has been moved to it; null clears it', async () => {
    const { batchId } = await aBatch();
    const answer = await change(batchId, { callingWindow: { from: '10:00', until: '18:00', daysOfWeek: [5, 1] } });
    expect(answer.callingWindow).toEqual({ from: '10:00', until: '18:00', daysOfWeek: [1, 5], timezone: 'recipient' });
    expect(await outboxOf(batchId)).toEqual([reconsider]);
    expect(await rowsOf('select window_moving from batches where id = $1', [batchId])).toEqual([
      { window_moving: true },
    ]);

    expect(await change(batchId, { callingWindow: null })).not.toHaveProperty('callingWindow');
  });

  // shows: pre-dial.changed
  test('preDial holds from now on, and what the endpoint before has said does not count; null removes it', async () => {
    const { batchId } = await aBatch();
    const call = '0198f6f4-2f10-7e5a-8c21-9b0a1c2d3e4f';
    const cleared = () => rowsOf('select 1 from pre_dial_answers where batch_id = $1', [batchId]);
    const clear = () =>
      rowsOf(
        `insert into pre_dial_answers (call_id, number, batch_id, gateway_id, question_id, cleared, holds_until)
         values ($2, 1, $1, 'gwo_x', $2, true, now() + interval '1 minute')`,
        [batchId, call],
      );
    await clear();
    const set = await change(batchId, { preDial: { url: 'https://example.com/ask' } });
    expect(set.preDial).toEqual({ url: 'https://example.com/ask', timeoutMs: 3_000, onError: 'wait' });
    expect(await cleared()).toEqual([]);
    await clear();
    expect(await change(batchId, { preDial: set.preDial, name: 'The same' })).toMatchObject({ preDial: set.preDial });
    expect(await cleared()).toHaveLength(1);
    expect(await change(batchId, { preDial: null })).not.toHaveProperty('preDial');
    expect(await cleared()).toEqual([]);
  });

  // shows: pre-dial.setting
  test('an endpoint in a private network is refused as create refuses it', async () => {
    const { batchId } = await aBatch();
    const preDial = { url: 'https://10.0.0.1/ask', timeoutMs: 99 };
    const answer = await api.patch(`/v1/batch-calls/${batchId}`, { preDial });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('preDial.url');
    expect(answer.text).toContain('preDial.timeoutMs');
  });

  // shows: batches.patch.running
  test('retry and maxConcurrentCalls hold from now on; null clears them', async () => {
    const { batchId } = await aBatch();
    const set = await change(batchId, {
      retry: { retryOn: ['missed'], retryDelays: [60, 600] },
      maxConcurrentCalls: 3,
      priority: 1,
    });
    expect(set).toMatchObject({
      priority: 1,
      retry: { enabled: true, retryOn: ['missed'], retryDelays: [60, 600], maxAttempts: 2 },
      maxConcurrentCalls: 3,
    });
    const cleared = await change(batchId, { retry: null, maxConcurrentCalls: null });
    expect(cleared.retry).toEqual({ enabled: false, retryOn: [], retryDelays: [], maxAttempts: 0 });
    expect(cleared).not.toHaveProperty('maxConcurrentCalls');
  });

  test('stopAfter and until hold from now on, and the workflow is told; null clears them', async () => {
    const { batchId } = await aBatch();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await change(batchId, { stopAfter: { answered: 3 }, until })).toMatchObject({
      stopAfter: { answered: 3 },
      until,
      status: 'running',
    });
    expect(await outboxOf(batchId)).toEqual([{ kind: 'signal', name: 'reconsider', input: {} }]);
    const cleared = await change(batchId, { stopAfter: null, until: null });
    expect(cleared).not.toHaveProperty('stopAfter');
    expect(cleared).not.toHaveProperty('until');
  });

  test('a batch with as many answers as it is told to stop after stops at once, and says why', async () => {
    const { batchId } = await aBatch({ counts: { answered: 2 } });
    const stopped = await change(batchId, { stopAfter: { answered: 2 } });
    expect(stopped).toMatchObject({ status: 'cancelling', stoppedBy: 'answered' });
    expect(await change(batchId, stopped)).toEqual(stopped);
  });

  test.each(['running', 'completed', 'parse_failed'] as const)(
    'what GET answers of a batch that is %s can be sent back, also with another name in it, and changes nothing else',
    async (status) => {
      const { batchId } = await aBatch({ status, description: 'Words' });
      if (status === 'running') {
        await change(batchId, {
          callingWindow: { from: '10:00', until: '18:00' },
          retry: { retryOn: ['missed'], retryDelays: [60] },
          maxConcurrentCalls: 3,
          stopAfter: { answered: 1_000 },
          until: new Date(Date.now() + 3_600_000).toISOString(),
        });
      }
      const before = await get(batchId);
      const told = await outboxOf(batchId);

      expect(await change(batchId, before)).toEqual(before);
      const renamed = await change(batchId, { ...before, batchName: 'Renamed' });

      expect(renamed).toEqual({ ...before, batchName: 'Renamed', updatedAt: renamed.updatedAt });
      expect(await outboxOf(batchId)).toEqual(told);
    },
  );

  test('an earlier answer can be sent back after the batch was paused by somebody else, and pauses and resumes nothing', async () => {
    const { batchId } = await aBatch({ status: 'scheduled' });
    const before = await get(batchId);
    expect((await api.post(`/v1/batch-calls/${batchId}/pause`)).status).toBe(200);
    expect(await change(batchId, { ...before, name: undefined, batchName: 'Renamed' })).toMatchObject({
      ...{ batchName: 'Renamed', paused: true },
    });
  });

  test('every field that GET may answer is known to PATCH, so that an answer can always be sent back', () => {
    expect(Object.keys(UpdateBatchCallBody.shape)).toEqual(expect.arrayContaining(Object.keys(BatchCallDetail.shape)));
  });

  test('an empty change changes nothing', async () => {
    const { batchId } = await aBatch();
    const before = await get(batchId);
    expect(await change(batchId, {})).toEqual(before);
    expect(await change(batchId, undefined)).toEqual(before);
  });
});

describe('400', () => {
  test('an instant to stop at that is over, or not after the start', async () => {
    const { batchId } = await aBatch({ status: 'scheduled' });
    const refused = async (body: object, words: string) => {
      const response = await api.patch(`/v1/batch-calls/${batchId}`, body);
      expect([response.status, response.text]).toEqual([400, expect.stringContaining(words)]);
    };
    await refused({ until: '2020-01-01T00:00:00Z' }, 'until: must lie ahead');
    const inADay = new Date(Date.now() + 86_400_000);
    expect((await api.patch(`/v1/batch-calls/${batchId}`, { until: inADay.toISOString() })).status).toBe(200);
    const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    await refused({ schedule: { date, time: '10:00', timezone: 'UTC' } }, 'until: must be after the start at');
  });

  test.each([
    ['a blank name', { name: ' ' }, 'name: must not be blank'],
    ['a name too long', { name: 'n'.repeat(257) }, 'name: must have at most 256 characters'],
    ['a description too long', { description: 'd'.repeat(1001) }, 'description: must have at most 1000 characters'],
    ['a bad time', { schedule: { date: '2027-03-01', time: '9:30' } }, 'schedule.time: bad time format'],
    ['a past start', { schedule: { date: '2020-03-01', time: '09:30' } }, 'schedule.date: is in the past'],
    [
      'a time that the clocks skip',
      { schedule: { date: '2027-03-28', time: '02:30', timezone: 'Europe/Berlin' } },
      'schedule.time: does not exist',
    ],
    [
      'an unknown retryOn',
      { retry: { retryOn: ['busy'], retryDelays: [60] } },
      'retry.retryOn[0]: invalid retryOn value',
    ],
    ['six retries', { retry: { retryOn: ['missed'], retryDelays: [1, 2, 3, 4, 5, 6] } }, 'at most 5 delays'],
    [
      'retries that contradict themselves',
      { retry: { enabled: false, retryOn: ['missed'], retryDelays: [60] } },
      'retry',
    ],
    ['a window without an end', { callingWindow: { from: '09:00' } }, 'callingWindow.until: is required'],
    ['no call at a time', { maxConcurrentCalls: 0 }, 'maxConcurrentCalls: must be at least 1'],
    ['a text for a number', { maxConcurrentCalls: '5' }, 'maxConcurrentCalls: must be a number'],
    ['an unknown field', { names: 'A' }, 'names: is not a known field'],
    ['another number to call from', { phoneNumber: '+14155550199' }, 'phoneNumber: cannot be changed'],
    ['two names', { name: 'One', batchName: 'Two' }, 'batchName: must be the same as name'],
    ['a pause', { paused: true }, 'paused: cannot be set: POST …/pause'],
    ['a cancel', { status: 'cancelled' }, 'status: cannot be set: POST …/cancel'],
    ['a webhook', { webhook: { endpoint: 'https://example.com', events: ['batchcall-started'] } }, 'webhook'],
  ])('%s is refused, and nothing is changed', async (_what, body, words) => {
    const { batchId } = await aBatch({ status: 'scheduled' });
    const before = (await api.get(`/v1/batch-calls/${batchId}`)).body;
    const response = await api.patch(`/v1/batch-calls/${batchId}`, {
      ...body,
      description: (body as { description?: string }).description ?? 'New',
    });
    expect([response.status, response.body]).toEqual([400, { error: expect.stringContaining(words) as unknown }]);
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toEqual(before);
  });

  test('everything that is wrong is answered together', async () => {
    const { batchId } = await aBatch();
    const body = { name: '', schedule: { date: '2020-01-01', time: '10:00' }, maxConcurrentCalls: 0 };
    const response = await api.patch(`/v1/batch-calls/${batchId}`, body);
    const { error } = response.body as { error: string };
    for (const path of ['name: ', 'schedule.date: ', 'maxConcurrentCalls: ']) expect(error).toContain(path);
  });
});

describe('409', () => {
  const schedule = { date: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10), time: '10:00' };

  const changes = {
    schedule,
    callingWindow: { from: '09:00', until: '18:00' },
    maxConcurrentCalls: 5,
    stopAfter: { answered: 5 },
    priority: 6,
    until: new Date(Date.now() + 3_600_000).toISOString(),
    retry: { retryOn: ['missed'], retryDelays: [60] },
  };

  const refused = async (status: (typeof finishedStatuses)[number] | 'running' | 'cancelling', body: object) => {
    const { batchId } = await aBatch({ status });
    const before = (await api.get(`/v1/batch-calls/${batchId}`)).body;
    const response = await api.patch(`/v1/batch-calls/${batchId}`, { name: 'New', ...body });
    expect([response.status, response.body]).toEqual([409, { error: expect.any(String) as unknown }]);
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toEqual(before);
    expect(await outboxOf(batchId)).toEqual([]);
  };

  test.each(
    finishedStatuses.flatMap((status) =>
      Object.entries(changes).map(([field, value]) => [status, field, value] as const),
    ),
  )('of a batch that is %s %s cannot be changed any more, and nothing else of the request is', (status, field, value) =>
    refused(status, { [field]: value }),
  );

  // shows: batch.stop.fixed
  test.each([
    ['stopAfter', { stopAfter: { answered: 3 } }, { stopAfter: null }],
    ['until', { until: new Date(Date.now() + 3_600_000).toISOString() }, { until: null }],
    ['maxCost', { maxCost: null }, { maxCost: null, maxConcurrentCalls: 9 }],
  ])(
    'of a batch that has stopped %s cannot be changed any more, and may be sent as it is',
    async (_field, other, none) => {
      const { batchId } = await aBatch({ counts: { answered: 2 } });
      const later = new Date(Date.now() + 7_200_000).toISOString();
      await api.patch(`/v1/batch-calls/${batchId}`, { until: later });
      await sql`update batches set max_cost = 5000000 where id = ${batchId}`.execute(here().database.db);
      await api.patch(`/v1/batch-calls/${batchId}`, { stopAfter: { answered: 2 } });
      const before = (await api.get(`/v1/batch-calls/${batchId}`)).body as Record<string, unknown>;
      expect(before).toMatchObject({ status: 'cancelling', stoppedBy: 'answered', until: later, maxCost: 5 });
      const told = await outboxOf(batchId);
      for (const change of [other, none]) {
        const answer = await api.patch(`/v1/batch-calls/${batchId}`, { name: 'New', ...change });
        expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('has stopped: stopAfter, until')]);
      }
      expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toEqual(before);
      expect((await api.patch(`/v1/batch-calls/${batchId}`, before)).body).toEqual(before);
      expect(await outboxOf(batchId)).toEqual(told);
      const maxConcurrentCalls = 3;
      expect((await api.patch(`/v1/batch-calls/${batchId}`, { maxConcurrentCalls })).body).toMatchObject({
        maxConcurrentCalls,
      });
    },
  );

  test('of a batch that is being cancelled, stop conditions can be changed as other settings can', async () => {
    const { batchId } = await aBatch({ status: 'cancelling' });
    const answer = await api.patch(`/v1/batch-calls/${batchId}`, { stopAfter: { answered: 9 } });
    expect(answer.body).toMatchObject({ status: 'cancelling', stopAfter: { answered: 9 } });
  });

  // shows: batches.patch.schedule
  test.each(['running', 'cancelling'] as const)('the start of a batch that is %s cannot be moved', (status) =>
    refused(status, { schedule }),
  );
});
