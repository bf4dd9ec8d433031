import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { mostBatchFileBytes } from '../../../../domain/batch/form.js';
import { anotherApp, api, here, settings } from '../../support.js';
import { aRoute, aRule, csv, fields, outboxOf, send } from '../support.js';

settings.OUTDIAL_PROVIDER = 'simulator';

describe('201', () => {
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

  interface Created {
    readonly batchId: string;
    readonly createdAt: string;
  }

  const created = (response: { status: number; text: string; body: unknown }): Created => {
    if (response.status !== 201) throw new Error(response.text);
    return response.body as Created;
  };

  const storedRow = async (batchId: string) => {
    const { rows } = await sql<Record<string, unknown>>`
    select b.*, f.bytes, f.sha256, f.byte_size from batches b join batch_files f on f.batch_id = b.id
    where b.id = ${batchId}`.execute(here().database.db);
    return rows[0];
  };

  // shows: batch.fields, batch.timing, batch.parse-error, batch.file, batch.state.parsing, batch.create.rule-omitted
  // shows: everywhere.scalars-omitted, batch.create.extension, retry.response
  test('the smallest form gives a batch call at parsing, with every documented field and no other', async () => {
    const route = await aRoute();

    const response = await send([csv(), ...fields({ name: 'Reminders', phoneNumber: route.phoneNumber })]);

    const { createdAt } = created(response);
    expect(response.body).toEqual({
      batchId: expect.stringMatching(/^batch_[0-9a-f-]{36}$/),
      batchName: 'Reminders',
      phoneNumberId: route.phoneNumberId,
      phoneNumber: route.phoneNumber,
      routingRuleId: route.ruleId,
      status: 'parsing',
      timing: 'immediate',
      timezone: 'Asia/Calcutta',
      retry: { enabled: false, retryOn: [], retryDelays: [], maxAttempts: 0 },
      recordsUploaded: 0,
      parseError: null,
      file: { filename: 'people.csv', extension: 'csv', key: expect.stringMatching(/^file_/) },
      timestamp: Math.floor(Date.parse(createdAt) / 1000),
      startsAt: createdAt,
      createdAt: expect.stringMatching(iso),
      updatedAt: createdAt,
    });
  });

  // shows: batch.fields, batch.timing, batch.schedule-fields, batch.retry-object, batch.timestamp, retry.response
  test('a full form gives all of it back, and stores the rest', async () => {
    const route = await aRoute();

    const response = await send(
      [
        ...fields({
          schedule: { date: '2099-12-01', time: '09:30', timezone: 'Europe/Paris' },
          retry: { retryOn: ['missed', 'not-answered'], retryDelays: [60, 604_800] },
          webhook: { endpoint: 'https://example.com/hook', events: ['batchcall-completed'] },
          callingWindow: { from: '09:00', until: '20:00', daysOfWeek: [5, 1], timezone: 'recipient' },
          maxConcurrentCalls: '3',
          stopAfter: { answered: 100 },
          until: '2099-12-01T18:00:00+01:00',
          columns: { phone_number: 'Mobile' },
          duplicates: 'skip',
          missingPlus: 'add',
          description: 'November',
          name: 'Reminders',
          phoneNumber: route.phoneNumber,
          phoneNumberId: route.phoneNumberId,
          routingRuleId: route.ruleId,
        }),
        csv('phone_number\n+919877012345\n', 'People of Zürich.CSV'),
      ],
      { app: await anotherApp({ clock: () => new Date('2099-11-20T10:00:00Z') }) },
    );

    const { batchId } = created(response);
    expect(response.body).toMatchObject({
      description: 'November',
      timing: 'scheduled',
      timezone: 'Europe/Paris',
      scheduledDate: '2099-12-01',
      scheduledTime: '09:30',
      timestamp: Date.parse('2099-12-01T08:30:00Z') / 1000,
      retry: { enabled: true, retryOn: ['missed', 'not-answered'], retryDelays: [60, 604_800], maxAttempts: 2 },
      file: { filename: 'People of Zürich.CSV', extension: 'csv' },
    });
    expect(await storedRow(batchId)).toMatchObject({
      starts_at: new Date('2099-12-01T08:30:00Z'),
      webhook_endpoint: 'https://example.com/hook',
      webhook_events: ['batchcall-completed'],
      calling_window: { from: '09:00', until: '20:00', daysOfWeek: [1, 5], timezone: 'recipient' },
      max_concurrent_calls: 3,
      stop_after_answered: 100,
      stop_at: new Date('2099-12-01T17:00:00Z'),
      column_names: { phone_number: 'Mobile' },
      duplicates: 'skip',
      missing_plus: 'add',
      gateway_id: route.gatewayId,
      agent_id: route.agentId,
      simulated: true,
    });
  });

  // shows: everywhere.upload-without-temporal
  test('file, batch, order to the workflow and audit entry are there when it is answered', async () => {
    const route = await aRoute();
    const kicks = here().kicks;

    const { batchId } = created(
      await send([csv('phone_number\n+1'), ...fields({ name: 'A', phoneNumber: route.phoneNumber })]),
    );

    const accountId = here().me.account.id;
    expect(await storedRow(batchId)).toMatchObject({ bytes: Buffer.from('phone_number\n+1'), byte_size: 15 });
    expect(await outboxOf(batchId)).toEqual([{ kind: 'start', name: 'batchCall', input: { accountId, batchId } }]);
    const { rows } = await sql`select action, key_id from audit_log where target = ${batchId}`.execute(
      here().database.db,
    );
    expect(rows).toEqual([{ action: 'batch-call.create', key_id: here().me.key.id }]);
    expect(here().kicks).toBe(kicks + 1);
  });

  // shows: batch.get
  test('GET gives it back', async () => {
    const route = await aRoute();
    const response = await send([csv(), ...fields({ name: 'A', phoneNumber: route.phoneNumber })]);

    const got = await api.get(`/v1/batch-calls/${created(response).batchId}`);

    expect(got.status).toBe(200);
    expect(got.body).toMatchObject(response.body as object);
  });

  describe('which number and rule', () => {
    // shows: batch.create.number-id
    test('the number may be named by its id', async () => {
      const route = await aRoute();
      const response = await send([csv(), ...fields({ name: 'A', phoneNumberId: route.phoneNumberId })]);
      expect(response.body).toMatchObject({ phoneNumber: route.phoneNumber, routingRuleId: route.ruleId });
    });

    // shows: batch.create.rule-named
    test('of several rules the named one is used', async () => {
      const route = await aRoute();
      const second = await aRule(route.phoneNumberId, route.phoneNumber);
      const response = await send([
        csv(),
        ...fields({ name: 'A', phoneNumber: route.phoneNumber, routingRuleId: second.ruleId }),
      ]);
      expect(response.body).toMatchObject({ routingRuleId: second.ruleId });
    });

    test('an inbound rule beside the outbound one does not count', async () => {
      const route = await aRoute();
      await aRule(route.phoneNumberId, route.phoneNumber, {}, 'inbound');
      const response = await send([csv(), ...fields({ name: 'A', phoneNumber: route.phoneNumber })]);
      expect(response.body).toMatchObject({ routingRuleId: route.ruleId });
    });
  });

  describe('the form', () => {
    // shows: everywhere.multipart
    test('parts that are JSON by type, even with a filename, count as their text', async () => {
      const route = await aRoute();
      const retry = { name: 'retry', value: '{"retryOn":["missed"],"retryDelays":[5]}', type: 'application/json' };
      const webhook = {
        name: 'webhook',
        value: '{"endpoint":"https://example.com","events":["batchcall-started"]}',
        filename: 'blob',
        type: 'application/json; charset=utf-8',
      };
      const response = await send([retry, webhook, ...fields({ name: 'A', phoneNumber: route.phoneNumber }), csv()]);
      expect(response.body).toMatchObject({ retry: { enabled: true, retryOn: ['missed'], retryDelays: [5] } });
      expect(await storedRow(created(response).batchId)).toMatchObject({ webhook_endpoint: 'https://example.com' });
    });

    // shows: everywhere.multipart
    test('empty optional parts count as left out', async () => {
      const route = await aRoute();
      const response = await send([
        csv(),
        ...fields({
          name: 'A',
          phoneNumber: route.phoneNumber,
          phoneNumberId: '',
          description: '',
          retry: '',
          schedule: '',
        }),
      ]);
      expect(created(response)).not.toHaveProperty('description');
      expect(response.body).toMatchObject({ timing: 'immediate', retry: { enabled: false } });
    });

    // shows: schedule.minute
    test('a schedule in the minute that is running starts now', async () => {
      const route = await aRoute();
      const app = await anotherApp({ clock: () => new Date('2026-11-21T14:28:59.999Z') });
      const schedule = { date: '2026-11-21', time: '14:28', timezone: 'UTC' };
      const response = await send([csv(), ...fields({ name: 'A', phoneNumber: route.phoneNumber, schedule })], { app });
      expect(response.body).toMatchObject({ timing: 'scheduled', timestamp: Date.parse('2026-11-21T14:28Z') / 1000 });
    });

    // shows: batch.create.size, batch.create.5242880
    test('a file of exactly 5,242,880 bytes is taken whole', async () => {
      const route = await aRoute();
      const line = '+919877012345\n';
      const text = `phone_number\n${line.repeat(400_000)}`.slice(0, mostBatchFileBytes);
      const response = await send([csv(text), ...fields({ name: 'A', phoneNumber: route.phoneNumber })]);
      expect(await storedRow(created(response).batchId)).toMatchObject({ byte_size: mostBatchFileBytes });
    });

    test('bytes are stored as they came, whatever they are', async () => {
      const route = await aRoute();
      const bytes = Buffer.concat([
        readFileSync(process.execPath).subarray(0, 100_000),
        Buffer.from('\r\n--\r\n--x\r\n'),
      ]);
      const response = await send([
        { ...csv('', 'people.xlsx'), value: bytes },
        ...fields({ name: 'A', phoneNumber: route.phoneNumber }),
      ]);
      expect(await storedRow(created(response).batchId)).toMatchObject({ bytes });
    });

    test('a file name is stored without folders', async () => {
      const route = await aRoute();
      const response = await send([
        csv('x', 'C:\\Users\\me\\people.csv'),
        ...fields({ name: 'A', phoneNumber: route.phoneNumber }),
      ]);
      expect(response.body).toMatchObject({ file: { filename: 'people.csv' } });
    });
  });
});
