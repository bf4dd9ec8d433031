import { isDeepStrictEqual } from 'node:util';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { parseBatch } from '../../../../activities/parse-batch.js';
import { allSettingsColumns } from '../../../../db/queries/batches/settings.js';
import { unsuccessfulStatuses } from '../../../../domain/call/call.js';
import { anAgent, rowsOf } from '../../support-resources.js';
import { api, here } from '../../support.js';
import { aBatchOf, type RecordOptions } from '../support-records.js';
import { type BatchOptions, outboxOf } from '../support.js';

describe('201', () => {
  afterEach(() => rowsOf('delete from do_not_call'));

  /** The workflow's part: the recipients are taken over. */
  const fill = (batchId: string) =>
    new MockActivityEnvironment().run(() =>
      parseBatch(
        { database: here().database, kickOutbox: () => undefined, callsPerWorkflow: undefined },
        { accountId: here().me.account.id, batchId },
      ),
    );

  async function retried(batchId: string, body?: object, headers?: Record<string, string>) {
    const response = await api.post(`/v1/batch-calls/${batchId}/retry`, body, headers ? { headers } : {});
    expect([response.status, response.text]).toEqual([201, expect.any(String)]);
    return response.body as { batchId: string } & Record<string, unknown>;
  }

  const numbersOf = async (batchId: string) =>
    (
      await rowsOf<{ to_number: string }>('select to_number from calls where batch_id = $1 order by position', [
        batchId,
      ])
    ).map((row) => row.to_number);

  const number = (index: number) => `+9198774${String(index).padStart(5, '0')}`;

  const oneOfEachStatus: readonly RecordOptions[] = ['answered', ...unsuccessfulStatuses, 'cancelled'].map(
    (status, index) => ({
      phoneNumber: number(index),
      status: status as 'answered',
      metadata: { place: String(index) },
    }),
  );

  const aFinished = (records = oneOfEachStatus, options: BatchOptions = {}) => aBatchOf(records, options);

  // shows: batches.retry
  test('a new batch with the settings of the old one starts now, linked to it in every answer', async () => {
    const { batchId: original, route } = await aFinished(oneOfEachStatus, { name: 'March', description: 'Words' });
    await rowsOf(
      `update batches set retry_enabled = true, retry_on = '{missed}', retry_delays_seconds = '{60}', max_concurrent_calls = 7,
       pre_dial = '{"url": "https://example.com/ask", "timeoutMs": 900, "onError": "skip"}',
       webhook_endpoint = 'https://example.com/hook', webhook_events = '{batchcall-completed}', timezone = 'Europe/Berlin',
       calling_window = '{"from": "09:00", "until": "18:00", "daysOfWeek": [1], "timezone": "Europe/Berlin"}' where id = $1`,
      [original],
    );
    const before = (await api.get(`/v1/batch-calls/${original}`)).body as { file: object };
    const kicks = here().kicks;

    const created = await retried(original);

    expect(created).toEqual({
      batchId: expect.stringMatching(/^batch_/) as unknown,
      batchName: 'March (retry)',
      description: 'Words',
      phoneNumberId: route.phoneNumberId,
      phoneNumber: route.phoneNumber,
      routingRuleId: route.ruleId,
      status: 'parsing',
      timing: 'immediate',
      timezone: 'Europe/Berlin',
      retry: { enabled: true, retryOn: ['missed'], retryDelays: [60], maxAttempts: 1 },
      recordsUploaded: 0,
      parseError: null,
      file: before.file,
      timestamp: expect.any(Number) as unknown,
      startsAt: expect.any(String) as unknown,
      retriedFrom: original,
      createdAt: expect.any(String) as unknown,
      updatedAt: expect.any(String) as unknown,
    });
    expect((await api.get(`/v1/batch-calls/${created.batchId}`)).body).toMatchObject({
      retriedFrom: original,
      maxConcurrentCalls: 7,
      callingWindow: { from: '09:00' },
    });
    const input = { accountId: here().me.account.id, batchId: created.batchId };
    expect(await outboxOf(created.batchId)).toEqual([{ kind: 'start', name: 'batchCall', input }]);
    expect(here().kicks).toBe(kicks + 1);
    expect(
      await rowsOf('select webhook_endpoint, webhook_events from batches where id = $1', [created.batchId]),
    ).toEqual([{ webhook_endpoint: 'https://example.com/hook', webhook_events: ['batchcall-completed'] }]);
  });

  test('no setting is lost: each has the value of the first batch', async () => {
    const [{ batchId: original }, { batchId: plain }] = [await aFinished(), await aFinished()];
    await rowsOf(
      `insert into account_prices (account_id, currency) select account_id, 'USD' from batches where id = $1 on conflict do nothing`,
      [original],
    );
    await rowsOf(
      `insert into call_prices (account_id, per_minute, increment_seconds, minimum_seconds)
       select account_id, 1, 1, 1 from batches where id = $1`,
      [original],
    );
    await rowsOf(
      `update batches set description = 'Words', retry_enabled = true, retry_on = '{missed}', retry_delays_seconds = '{60}',
       webhook_endpoint = 'https://example.com/hook', webhook_events = '{batchcall-completed}', max_concurrent_calls = 7,
       calling_window = '{"from": "09:00", "until": "18:00", "daysOfWeek": [1], "timezone": "Europe/Berlin"}',
       duplicates = 'skip', missing_plus = 'add', priority = 2, stop_after_answered = 7, stop_after_success = 8, max_cost = 9, default_country = 'IN', on_unfilled = 'reject',
       column_names = '{"phone_number": "Mobile"}',
       pre_dial = '{"url": "https://example.com/ask", "timeoutMs": 900, "onError": "skip"}',
       number_on_retry = 'other', variants = $2,
       phone_numbers = array[(select from_number from batches where id = $1)] where id = $1`,
      [original, JSON.stringify([await anAgent(), await anAgent()].map((agentId) => ({ agentId, weight: 1 })))],
    );
    const settingsOf = async (batchId: string) =>
      (
        await rowsOf<Record<string, unknown>>(`select ${allSettingsColumns.join(', ')} from batches where id = $1`, [
          batchId,
        ])
      )[0]!;
    const [wanted, unset] = [await settingsOf(original), await settingsOf(plain)];
    // A setting that is forgotten above would prove nothing.
    expect(Object.keys(wanted).filter((column) => isDeepStrictEqual(wanted[column], unset[column]))).toEqual([]);

    const { batchId } = await retried(original);

    expect(await settingsOf(batchId)).toEqual(wanted);
  });

  test.each([
    ['lies ahead is that of the new batch', 3_600_000, true],
    ['is over stops nothing', -1_000, false],
  ])('an instant at which the first batch stops that %s', async (_what, fromNowMs, isKept) => {
    const { batchId: original } = await aFinished();
    const until = new Date(Date.now() + fromNowMs);
    await rowsOf('update batches set stop_at = $2 where id = $1', [original, until]);
    const { batchId } = await retried(original);
    const { body } = await api.get(`/v1/batch-calls/${batchId}`);
    expect((body as { until?: string }).until).toBe(isKept ? until.toISOString() : undefined);
  });

  // shows: batches.retry
  test('the five unsuccessful statuses are called again, in their order, each with its metadata', async () => {
    const { batchId: original } = await aFinished();
    const { batchId } = await retried(original);
    await fill(batchId);

    expect(await numbersOf(batchId)).toEqual([1, 2, 3, 4, 5].map(number));
    const calls = await rowsOf<{ id: string; metadata: object; status: string }>(
      'select id, metadata, status from calls where batch_id = $1 order by position',
      [batchId],
    );
    expect(calls.map(({ metadata }) => metadata)).toEqual([1, 2, 3, 4, 5].map((place) => ({ place: String(place) })));
    expect(calls.map(({ id }) => id)).toEqual(calls.map(({ id }) => id).toSorted());
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
      status: 'running',
      recordsUploaded: 5,
      recordsRejected: 0,
      counts: { pending: 5 },
    });
    // Once it has been taken over, doing it again changes nothing.
    await fill(batchId);
    expect(await numbersOf(batchId)).toHaveLength(5);
  });

  // shows: retry.voicemail
  test('voicemail calls those again whom a machine answered for, and nobody whom a person answered', async () => {
    const byWhom = ['human', 'machine', 'unknown', 'machine'] as const;
    const { batchId: original } = await aFinished(
      byWhom.map((answeredBy, index) => ({ phoneNumber: number(index), status: 'answered' as const, answeredBy })),
    );
    const created = await retried(original, { statuses: ['voicemail'] });
    await fill(created.batchId);
    expect(await numbersOf(created.batchId)).toEqual([1, 3].map(number));
    expect(
      (await api.post(`/v1/batch-calls/${(await aFinished()).batchId}/retry`, { statuses: ['voicemail'] })).status,
    ).toBe(400);
  });

  test('statuses and name can be chosen, cancelled among them', async () => {
    const { batchId: original } = await aFinished();
    const created = await retried(original, { statuses: ['cancelled', 'missed'], name: 'Second round' });
    await fill(created.batchId);
    expect(created).toMatchObject({ batchName: 'Second round' });
    const wanted = oneOfEachStatus.filter(({ status }) => status === 'missed' || status === 'cancelled');
    expect(await numbersOf(created.batchId)).toEqual(wanted.map(({ phoneNumber }) => phoneNumber));
  });

  test('who wants no calls and numbers that do not exist are left out, and listed as rejected', async () => {
    const { batchId: original } = await aFinished([
      { phoneNumber: number(20), status: 'answered' },
      { phoneNumber: number(21), status: 'missed' },
      { phoneNumber: number(22), status: 'failed', reason: 'unallocated', permanent: true },
      { phoneNumber: number(23), status: 'missed' },
    ]);
    const { batchId } = await retried(original);
    // Put on the list after the retry was asked for, and before its numbers were taken over.
    await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [here().me.account.id, number(21)]);
    await fill(batchId);

    expect(await numbersOf(batchId)).toEqual([number(23)]);
    expect((await api.get(`/v1/batch-calls/${batchId}/rejected-rows`)).body).toMatchObject({
      data: [
        { row: 3, value: number(21), reason: 'do_not_call' },
        {
          row: 4,
          value: number(22),
          reason: 'invalid_number',
          message: expect.stringContaining('unallocated') as unknown,
        },
      ],
    });
  });

  test('a person who was erased is not called again, and the others are', async () => {
    const { batchId: original, callIds } = await aFinished([
      { phoneNumber: number(50), status: 'missed' },
      { phoneNumber: number(51), status: 'missed' },
    ]);
    await rowsOf('update calls set erased_at = now() where id = $1', [callIds[0]]);
    const { batchId } = await retried(original);
    await fill(batchId);
    expect(await numbersOf(batchId)).toEqual([number(51)]);
  });

  test('if no number is left when the numbers are taken over, the batch says so', async () => {
    const { batchId: original } = await aFinished([{ phoneNumber: number(30), status: 'missed' }]);
    const { batchId } = await retried(original);
    await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [here().me.account.id, number(30)]);
    await fill(batchId);
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
      status: 'parse_failed',
      parseError: expect.stringContaining('No number is left') as unknown,
      recordsRejected: 1,
    });
  });

  test('a retry can be retried, and a long name still fits', async () => {
    const { batchId: original } = await aFinished([{ phoneNumber: number(40), status: 'missed' }], {
      name: '😀'.repeat(256),
    });
    const first = await retried(original);
    expect(Array.from(first.batchName as string)).toHaveLength(256);
    await fill(first.batchId);
    await rowsOf(`update calls set status = 'missed', attempts_made = 1 where batch_id = $1`, [first.batchId]);
    await rowsOf(`update batches set status = 'completed', completed_at = now() where id = $1`, [first.batchId]);
    const second = await retried(first.batchId);
    await fill(second.batchId);
    expect(second).toMatchObject({ retriedFrom: first.batchId, file: { filename: 'people.csv' } });
    expect(await numbersOf(second.batchId)).toEqual([number(40)]);
  });

  test('asked twice with one Idempotency-Key, it is made once', async () => {
    const { batchId: original } = await aFinished();
    const key = { 'idempotency-key': 'retry-1' };
    const first = await retried(original, {}, key);
    expect(await retried(original, {}, key)).toEqual(first);
    const other = await api.post(`/v1/batch-calls/${original}/retry`, { statuses: ['missed'] }, { headers: key });
    expect(other.status).toBe(422);
  });
});
