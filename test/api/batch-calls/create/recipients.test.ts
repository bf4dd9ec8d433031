import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { parseBatch } from '../../../../activities/parse-batch.js';
import { MockActivityEnvironment } from '@temporalio/testing';
import { api, here, settings } from '../../support.js';
import { aRoute, csv, fields, send, stored } from '../support.js';

settings.OUTDIAL_PROVIDER = 'simulator';

const post = (body: unknown, headers: Record<string, string> = {}) => api.post('/v1/batch-calls', body, { headers });

const number = (index: number) => `+1415555${String(1_000 + index)}`;

/** Reads what was sent, as the worker would. */
async function parsed(batchId: string): Promise<void> {
  const { database, me } = here();
  await new MockActivityEnvironment().run(() =>
    parseBatch({ database, kickOutbox: () => undefined }, { accountId: me.account.id, batchId }),
  );
}

async function created(body: object): Promise<{ batchId: string; url: string }> {
  const { phoneNumber } = await aRoute();
  const response = await post({ name: 'By API', phoneNumber, ...body });
  if (response.status !== 201) throw new Error(response.text);
  const { batchId } = response.body as { batchId: string };
  await parsed(batchId);
  return { batchId, url: `/v1/batch-calls/${batchId}` };
}

const dataOf = async (url: string) => ((await api.get(url)).body as { data: unknown[] }).data;

describe('201', () => {
  // shows: recipients.json, recipients.records
  test('recipients are called as rows of a file are, and their ids are in records and export', async () => {
    const { batchId, url } = await created({
      recipients: [
        { phoneNumber: number(0), id: 'crm-7', metadata: { name: 'Asha', visits: 3 } },
        { phoneNumber: number(1), timezone: 'America/Chicago', headers: { 'X-Ref': '9' }, language: 'english' },
      ],
    });
    expect((await api.get(url)).body).toMatchObject({
      status: 'running',
      recordsUploaded: 2,
      file: { filename: 'recipients.json', extension: 'json' },
      counts: { pending: 2 },
    });
    expect(await dataOf(`${url}/records`)).toMatchObject([
      { id: 'crm-7', phoneNumber: number(0), metadata: { name: 'Asha', visits: 3 } },
      { phoneNumber: number(1), metadata: {} },
    ]);
    const { text } = await api.get(`${url}/records/export`);
    expect(text.split('\r\n')[0]).toMatch(/^"phone_number","name","visits","status",.*"recipient_id"$/);
    expect(text.split('\r\n')[1]).toMatch(/^"\+14155551000","Asha","3","pending",.*"crm-7"$/);
    const { rows } = await sql`select time_zones as zones, options from calls
      where batch_id = ${batchId} order by position`.execute(here().database.db);
    expect(rows).toEqual([
      { zones: null, options: null },
      { zones: ['America/Chicago'], options: { language: 'english', headers: { 'X-Ref': '9' } } },
    ]);
  });

  test('priority and notBefore are kept and shown; a batch with them starts all of its workflows at once', async () => {
    const { batchId, url } = await created({
      recipients: [
        { phoneNumber: number(0), priority: 9, notBefore: '2030-03-01T09:30:00+05:30' },
        { phoneNumber: number(1), priority: 2 },
        { phoneNumber: number(2) },
      ],
    });
    const notBefore = '2030-03-01T04:00:00.000Z';
    const records = await dataOf(`${url}/records`);
    expect(records).toMatchObject([{ priority: 9, notBefore, nextAttemptAt: notBefore }, { priority: 2 }, {}]);
    expect(records[2]).not.toHaveProperty('priority');
    const { rows } = await sql`select priorities, starts_whole from batches where id = ${batchId}`.execute(
      here().database.db,
    );
    expect(rows).toEqual([{ priorities: [2, 5, 9], starts_whole: true }]);
  });

  test('columns, which name headers of a file, are refused beside recipients', async () => {
    const { phoneNumber } = await aRoute();
    const body = {
      name: 'A',
      phoneNumber,
      columns: { phone_number: 'Mobile' },
      recipients: [{ phoneNumber: number(0) }],
    };
    expect(await api.post('/v1/batch-calls', body)).toMatchObject({
      status: 400,
      body: { errors: [expect.stringContaining('columns: names headers of a file')] },
    });
  });

  // shows: recipients.rejected
  test('those that cannot be called are rejected with index and id, for the reasons of a file', async () => {
    const listed = number(3);
    await api.post('/v1/do-not-call', { phoneNumbers: [listed] });
    const { url } = await created({
      defaultCountry: 'IN',
      recipients: [
        { phoneNumber: number(0) },
        { phoneNumber: '', id: 'empty' },
        { phoneNumber: number(0) },
        { phoneNumber: listed },
        { phoneNumber: number(4), metadata: { note: 'x'.repeat(17_000) } },
        { phoneNumber: number(0), id: 'another person' },
        { phoneNumber: '098770 12345' },
      ],
    });
    expect(await dataOf(`${url}/rejected-rows`)).toMatchObject([
      { index: 1, id: 'empty', row: 2, reason: 'missing_number' },
      { index: 2, row: 3, reason: 'duplicate', message: expect.stringContaining('recipients[0]') },
      { index: 3, reason: 'do_not_call' },
      { index: 4, reason: 'metadata_too_large' },
    ]);
    expect((await api.get(url)).body).toMatchObject({ recordsUploaded: 3, recordsRejected: 4, recordsCorrected: 1 });
    expect(await dataOf(`${url}/corrected-rows`)).toEqual([
      { row: 7, value: '098770 12345', phoneNumber: '+919877012345' },
    ]);
  });

  // shows: recipients.idempotent
  test('a request is repeated under its Idempotency-Key, however its JSON is spaced', async () => {
    const { phoneNumber } = await aRoute();
    const body = { name: 'Once', phoneNumber, recipients: [{ phoneNumber: number(0) }] };
    const headers = { 'idempotency-key': 'recipients-1' };
    const first = await post(body, headers);
    await parsed((first.body as { batchId: string }).batchId);
    const before = await stored();
    const again = await post(JSON.stringify(body, null, 2), { ...headers, 'content-type': 'application/json' });
    expect(again.body).toEqual(first.body);
    expect(await stored()).toEqual(before);
    expect((await post({ ...body, name: 'Twice' }, headers)).status).toBe(422);
  });

  test('10,000 of them are stored in the order in which they came', async () => {
    const { url } = await created({
      recipients: Array.from({ length: 10_000 }, (_, index) => ({
        phoneNumber: `+1415${6_660_000 + index}`,
        id: String(index),
      })),
    });
    expect((await api.get(url)).body).toMatchObject({ recordsUploaded: 10_000 });
    expect(await dataOf(`${url}/records?perPage=1&page=10000`)).toMatchObject([{ id: '9999' }]);
  });

  test('a batch from unsuccessful recipients keeps their ids', async () => {
    const { batchId, url } = await created({
      recipients: [{ phoneNumber: number(0), id: 'kept', language: 'english' }],
    });
    const { db } = here().database;
    await sql`update calls set status = 'missed' where batch_id = ${batchId}`.execute(db);
    await sql`update batches set status = 'completed', completed_at = now() where id = ${batchId}`.execute(db);
    const again = (await api.post(`${url}/retry`, {})).body as { batchId: string };
    await parsed(again.batchId);
    expect(await dataOf(`/v1/batch-calls/${again.batchId}/records`)).toMatchObject([{ id: 'kept' }]);
  });
});

describe('400', () => {
  // shows: recipients.problems
  test('problems of fields and recipients are named at once, and nothing is stored', async () => {
    const before = await stored();
    const { status, body } = await post({
      retry: { retryOn: ['never'], retryDelays: [0] },
      recipients: [{ phoneNumber: 1 }, { phoneNumber: number(0), colour: 'red' }],
    });
    expect(status).toBe(400);
    const lines = (body as { errors: string[] }).errors.map((line) => line.split(': ')[0]);
    expect(lines).toEqual(
      expect.arrayContaining([
        'name',
        'phoneNumber',
        'retry.retryOn[0]',
        'retry.retryDelays[0]',
        'recipients[0].phoneNumber',
        'recipients[1].colour',
      ]),
    );
    expect(await stored()).toEqual(before);
  });

  test('a file cannot come with JSON, nor recipients with a file', async () => {
    const { phoneNumber } = await aRoute();
    const recipients = [{ phoneNumber: number(0) }];
    const inJson = await post({ name: 'R', phoneNumber, file: 'phone_number', recipients });
    expect(inJson.body).toMatchObject({ errors: ['file: is an unrecognized field'] });
    const inForm = await send([csv(), ...fields({ name: 'R', phoneNumber, recipients })]);
    expect(inForm.body).toMatchObject({ errors: ['recipients: is an unrecognized field'] });
  });
});

describe('validate', () => {
  test('says of recipients what it says of a file', async () => {
    const { phoneNumber } = await aRoute();
    const recipients = [{ phoneNumber: '+919877012345' }, { phoneNumber: '12', id: 'bad' }];
    const report = await api.post('/v1/batch-calls/validate', { name: 'R', phoneNumber, recipients });
    expect(report.body).toMatchObject({
      valid: true,
      recordsUploaded: 1,
      rejected: [{ index: 1, id: 'bad', row: 2, reason: 'invalid_number' }],
    });
  });
});
