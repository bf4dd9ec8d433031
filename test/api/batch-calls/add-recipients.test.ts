import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { api, here, settings } from '../support.js';
import { aBatch, aRoute, findsNoneOf } from './support.js';

settings.OUTDIAL_PROVIDER = 'simulator';

const number = (index: number) => `+1415777${String(1_000 + index)}`;

const add = (batchId: string, recipients: readonly object[], headers: Record<string, string> = {}) =>
  api.post(`/v1/batch-calls/${batchId}/recipients`, { recipients }, { headers });

const dataOf = async (url: string) => ((await api.get(url)).body as { data: unknown[] }).data;
const recordsOf = (batchId: string) => dataOf(`/v1/batch-calls/${batchId}/records?perPage=100`);

const startsOf = async (batchId: string) => {
  const { rows } = await sql<{ workflowId: string }>`
    select workflow_id as "workflowId" from outbox where name = 'calls' and workflow_id like ${`${batchId}/%`} order by id`.execute(
    here().database.db,
  );
  return rows.map(({ workflowId }) => workflowId.slice(batchId.length + 1));
};

describe('200', () => {
  // shows: recipients.add
  test.each(['parsing', 'scheduled', 'running'] as const)(
    'a batch that is %s takes recipients; their workflows start with the batch, or at once if it runs',
    async (status) => {
      const { batchId } = await aBatch({ status });
      const { status: code, body } = await add(batchId, [
        { phoneNumber: number(0), id: 'a', metadata: { name: 'Asha' }, priority: 2 },
        { phoneNumber: '12', id: 'b' },
        { phoneNumber: number(1) },
      ]);
      expect({ code, body }).toMatchObject({
        code: 200,
        body: {
          accepted: 2,
          alreadyPresent: 0,
          rejected: [{ index: 1, id: 'b', value: '12', reason: 'invalid_number' }],
        },
      });
      expect(await recordsOf(batchId)).toMatchObject([
        { id: 'a', phoneNumber: number(0), metadata: { name: 'Asha' }, priority: 2, status: 'pending' },
        { phoneNumber: number(1) },
      ]);
      expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
        status,
        recordsUploaded: 2,
        counts: { pending: 2 },
      });
      const { waiting } = (await api.get(`/v1/batch-calls/${batchId}`)).body as { waiting: { total: number } };
      expect(waiting.total).toBe(2);
      expect(await startsOf(batchId)).toEqual(status === 'running' ? ['added-1'] : []);
    },
  );

  // shows: recipients.repeat
  test('a request that is repeated adds nobody twice, with or without ids', async () => {
    const { batchId } = await aBatch();
    const recipients = [{ phoneNumber: number(0), id: 'a' }, { phoneNumber: number(1) }];
    await add(batchId, recipients);
    const again = await add(batchId, [...recipients, { phoneNumber: number(0), id: 'another' }]);
    expect(again.body).toMatchObject({
      accepted: 1,
      alreadyPresent: 1,
      rejected: [{ index: 1, value: number(1), reason: 'duplicate' }],
    });
    expect(await recordsOf(batchId)).toHaveLength(3);
    expect(await startsOf(batchId)).toEqual(['added-1', 'added-2']);
  });

  test('under an Idempotency-Key the first answer is repeated', async () => {
    const { batchId } = await aBatch();
    const headers = { 'idempotency-key': 'add-1' };
    const first = await add(batchId, [{ phoneNumber: number(0) }], headers);
    expect((await add(batchId, [{ phoneNumber: number(0) }], headers)).body).toEqual(first.body);
    expect(await recordsOf(batchId)).toHaveLength(1);
  });

  // shows: recipients.repeat
  test('many requests at once with the same ids add each once', async () => {
    const { batchId } = await aBatch();
    const recipients = Array.from({ length: 40 }, (_, index) => ({ phoneNumber: number(index), id: String(index) }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, round) => add(batchId, recipients.slice(round * 4))),
    );
    const accepted = answers.map(({ body }) => (body as { accepted: number }).accepted);
    expect(accepted.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(await recordsOf(batchId)).toHaveLength(40);
  });

  test('they are judged by the batch: duplicates=skip, numbers not to call, national numbers', async () => {
    const { phoneNumber } = await aRoute();
    const created = await api.post('/v1/batch-calls', {
      ...{ name: 'Open', phoneNumber, open: true, duplicates: 'skip', defaultCountry: 'IN' },
      recipients: [{ phoneNumber: number(0) }],
    });
    const { batchId } = created.body as { batchId: string };
    await add(batchId, [{ phoneNumber: number(5), id: 'first' }]);
    await api.post('/v1/do-not-call', { phoneNumbers: [number(6)] });
    const { body } = await add(batchId, [
      { phoneNumber: number(5), id: 'second' },
      { phoneNumber: number(6) },
      { phoneNumber: '098770 12345' },
    ]);
    expect(body).toMatchObject({
      accepted: 1,
      rejected: [
        { index: 0, id: 'second', reason: 'duplicate' },
        { index: 1, reason: 'do_not_call' },
      ],
    });
  });

  test('1,001 recipients are three groups, and the next request begins its own', async () => {
    const { batchId } = await aBatch();
    const many = Array.from({ length: 1_001 }, (_, index) => ({ phoneNumber: `+1415888${String(1_000 + index)}` }));
    await add(batchId, many);
    await add(batchId, [{ phoneNumber: number(0) }]);
    expect(await startsOf(batchId)).toEqual(['added-1', 'added-2', 'added-3', 'added-4']);
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({ recordsUploaded: 1_002 });
  });
});

describe('400', () => {
  test('every problem is named, and nobody is added', async () => {
    const { batchId } = await aBatch();
    const { status, text } = await add(batchId, [
      { phoneNumber: number(0), id: 'a' },
      { phoneNumber: number(1), id: 'a' },
      { phoneNumber: 1, priority: 10 },
      { phoneNumber: number(3), phone: '1' },
    ]);
    expect(status).toBe(400);
    const paths = ['recipients[1].id', 'recipients[2].phoneNumber', 'recipients[2].priority'];
    for (const path of [...paths, 'recipients[3].phone: is not a known field']) {
      expect(text).toContain(path);
    }
    expect(await recordsOf(batchId)).toEqual([]);
  });

  test('over 200 different names of metadata in one batch are refused', async () => {
    const { batchId } = await aBatch();
    const named = (from: number) => ({
      phoneNumber: number(0),
      metadata: Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`n${from + index}`, 'x'])),
    });
    expect((await add(batchId, [named(0)])).status).toBe(200);
    expect((await add(batchId, [named(100)])).status).toBe(400);
    expect(await recordsOf(batchId)).toHaveLength(1);
  });
});

describe('404', () => {
  test('a batch of another account and one that is not there', () =>
    findsNoneOf((url) => api.post(`${url}/recipients`, { recipients: [{ phoneNumber: number(0) }] })));
});

describe('409', () => {
  // shows: recipients.add.409
  test.each(['cancelling', 'cancelled', 'completed', 'parse_failed'] as const)(
    'a batch that is %s takes no more recipients',
    async (status) => {
      const { batchId } = await aBatch({ status });
      expect((await add(batchId, [{ phoneNumber: number(0) }])).status).toBe(409);
      expect(await recordsOf(batchId)).toEqual([]);
    },
  );
});
