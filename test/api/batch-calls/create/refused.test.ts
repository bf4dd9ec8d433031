import { describe, expect, test } from 'vitest';
import { anAccount, anotherApp, api } from '../../support.js';
import { aRoute, aRule, csv, fields, multipart, send, stored } from '../support.js';

describe('400', () => {
  const errorsOf = async (...sent: Parameters<typeof send>) => {
    const before = await stored();
    const response = await send(...sent);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 400,
      body: { message: expect.any(String), errors: expect.any(Array) },
    });
    expect(await stored()).toEqual(before);
    return (response.body as { errors: string[] }).errors;
  };

  /** A refusal that is no matter of the form: one text. */
  const refusalOf = async (...sent: Parameters<typeof send>) => {
    const before = await stored();
    const response = await send(...sent);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 400,
      body: { error: expect.any(String) },
    });
    expect(await stored()).toEqual(before);
    return (response.body as { error: string }).error;
  };

  describe('what is wrong with the form is listed whole, and nothing is stored', () => {
    // shows: batch.create.required
    test('an empty form', async () => {
      expect(await errorsOf([])).toEqual([
        'file: is required: a .csv, .xls or .xlsx file',
        'name: is required',
        'phoneNumber: is required, or phoneNumberId in its place',
      ]);
    });

    // shows: errors.batch-400, batch.create.all-problems
    test('problems of many fields', async () => {
      const errors = await errorsOf([
        csv('x', 'people.txt'),
        ...fields({
          name: 'x'.repeat(257),
          description: 'x'.repeat(1001),
          phoneNumber: '098770',
          schedule: { date: '2020-01-01', time: '9:30', timezone: '+05:30' },
          retry: { retryOn: ['busy'], retryDelays: [1, 2, 3, 4, 5, 6] },
          webhook: { endpoint: 'https://example.com', events: ['batchcall-started'], secret: 'x' },
          callingWindow: { from: '9', until: '20:00' },
          maxConcurrentCalls: '0',
          duplicates: 'x',
          missingPlus: 'x',
          retyr: '{}',
        }),
      ]);
      expect(errors.map((error) => error.split(': ')[0]).sort()).toEqual(
        [
          'file',
          'name',
          'description',
          'phoneNumber',
          'schedule.time',
          'schedule.timezone',
          'retry.retryOn[0]',
          'retry.retryDelays',
          'webhook.secret',
          'callingWindow.from',
          'maxConcurrentCalls',
          'duplicates',
          'missingPlus',
          'retyr',
        ].sort(),
      );
    });

    // shows: everywhere.multipart
    test('a repeated field, and a second file', async () => {
      const route = await aRoute();
      const { phoneNumber } = route;
      expect(await errorsOf([csv(), ...fields({ name: 'A', phoneNumber }), ...fields({ name: 'B' }), csv()])).toEqual([
        'name: must be sent only once',
        'file: must be sent only once',
      ]);
    });

    test('a file sent as text, and a field of the file’s own name', async () => {
      const { phoneNumber } = await aRoute();
      const file = { name: 'file', value: 'phone_number\n' };
      expect(await errorsOf([file, ...fields({ name: 'A', phoneNumber })])).toEqual([
        'file: must be sent as a file, with a filename',
      ]);
    });

    test('a file under an unknown name', async () => {
      const { phoneNumber } = await aRoute();
      expect(await errorsOf([csv(), { ...csv(), name: 'attachment' }, ...fields({ name: 'A', phoneNumber })])).toEqual([
        'attachment: is an unrecognized field',
      ]);
    });

    test('an empty part for the file, as browsers send it where none was chosen', async () => {
      const { phoneNumber } = await aRoute();
      expect(await errorsOf([csv('', ''), ...fields({ name: 'A', phoneNumber })])).toEqual([
        expect.stringMatching(/^file: is required/),
      ]);
    });

    // shows: batch.create.phone-number-both-differ
    test('a number and the id of another', async () => {
      const [one, two] = [await aRoute(), await aRoute()];
      expect(
        await errorsOf([
          csv(),
          ...fields({ name: 'A', phoneNumber: one.phoneNumber, phoneNumberId: two.phoneNumberId }),
        ]),
      ).toEqual(['phoneNumberId: is not the id of phoneNumber; send one of the two']);
    });

    // shows: schedule.gap
    test.each([
      ['the minute before this one', { date: '2026-11-21', time: '14:27', timezone: 'UTC' }, 'schedule.time'],
      ['a time that the clocks skip', { date: '2027-03-28', time: '02:30', timezone: 'Europe/Paris' }, 'schedule.time'],
      ['over a year ahead', { date: '2027-11-21', time: '14:29', timezone: 'UTC' }, 'schedule.date'],
    ])('a schedule at %s', async (_when, schedule, path) => {
      const { phoneNumber } = await aRoute();
      const app = await anotherApp({ clock: () => new Date('2026-11-21T14:28:00Z') });
      const errors = await errorsOf([csv(), ...fields({ name: 'A', phoneNumber, schedule })], { app });
      expect(errors).toEqual([expect.stringMatching(new RegExp(`^${path}: `))]);
    });

    // shows: webhook.https
    test.each([
      'http://example.com/hook',
      'https://127.0.0.1/hook',
      'https://[::1]/hook',
      'https://10.0.0.8/hook',
      'https://169.254.169.254/latest',
      'https://2130706433/',
      'ftp://example.com/hook',
      'https://me:secret@example.com/hook',
      'example.com',
    ])('a webhook to %s', async (endpoint) => {
      const { phoneNumber } = await aRoute();
      const webhook = { endpoint, events: ['batchcall-completed'] };
      expect(await errorsOf([csv(), ...fields({ name: 'A', phoneNumber, webhook })])).toEqual([
        expect.stringMatching(/^webhook\.endpoint: must /),
      ]);
    });
  });

  describe('what is no complete form', () => {
    // shows: batch.create.types
    test.each([
      ['the end is missing', (body: Buffer) => body.subarray(0, body.length - 40)],
      ['it breaks off in the middle of the file', (body: Buffer) => body.subarray(0, 120)],
      ['it is something else', () => Buffer.from('hello')],
    ])('%s', async (_what, cut) => {
      const { body, contentType } = multipart([csv('phone_number\n'.repeat(20)), ...fields({ name: 'A' })]);
      const response = await api.post('/v1/batch-calls', cut(body), { headers: { 'content-type': contentType } });
      expect(response.status).toBe(400);
      expect(response.body).toEqual({
        message: expect.any(String),
        errors: [expect.stringMatching(/^body: (is not complete|ends in the middle)/)],
      });
    });

    test('no boundary', async () => {
      const { body } = multipart([csv()]);
      const response = await api.post('/v1/batch-calls', body, { headers: { 'content-type': 'multipart/form-data' } });
      expect({ status: response.status, body: response.body }).toEqual({
        status: 400,
        body: { message: expect.any(String), errors: [expect.stringMatching(/^body: .*boundary/)] },
      });
    });

    test('more parts than any form has', async () => {
      const parts = Array.from({ length: 100 }, (_, index) => ({ name: `field${index}`, value: 'x' }));
      const errors = await errorsOf(parts);
      expect(errors).toEqual([expect.stringMatching(/^body: has more than 64 parts/)]);
    });
  });

  describe('what the number is not ready for is one error', () => {
    // shows: batch.create.no-gateway, errors.batch-other
    test('no outbound gateway', async () => {
      const { phoneNumber } = await aRoute({ gateway: false });
      expect(await refusalOf([csv(), ...fields({ name: 'A', phoneNumber })])).toMatch(/no outbound gateway/);
    });

    // shows: batch.create.no-rule
    test('no outbound rule', async () => {
      const { phoneNumber, phoneNumberId } = await aRoute({ rule: false });
      await aRule(phoneNumberId, phoneNumber, {}, 'inbound');
      expect(await refusalOf([csv(), ...fields({ name: 'A', phoneNumber })])).toMatch(/no outbound routing rule/);
    });

    // shows: batch.create.rule-omitted, batch.create.rules
    test('several outbound rules and none named', async () => {
      const { phoneNumber, phoneNumberId } = await aRoute();
      await aRule(phoneNumberId, phoneNumber);
      expect(await refusalOf([csv(), ...fields({ name: 'A', phoneNumber })])).toMatch(/several.*routingRuleId/);
    });

    // shows: batch.create.rules
    test('a rule of another number', async () => {
      const [one, two] = [await aRoute(), await aRoute()];
      expect(
        await refusalOf([csv(), ...fields({ name: 'A', phoneNumber: one.phoneNumber, routingRuleId: two.ruleId })]),
      ).toMatch(/not attached/);
    });

    test('an inbound rule', async () => {
      const { phoneNumber, phoneNumberId } = await aRoute();
      const { ruleId } = await aRule(phoneNumberId, phoneNumber, {}, 'inbound');
      expect(await refusalOf([csv(), ...fields({ name: 'A', phoneNumber, routingRuleId: ruleId })])).toMatch(
        /outbound/,
      );
    });

    // shows: batch.create.rules
    test('an inactive agent', async () => {
      const { phoneNumber } = await aRoute({ agentStatus: 'inactive' });
      expect(await refusalOf([csv(), ...fields({ name: 'A', phoneNumber })])).toMatch(/not active/);
    });

    // shows: rule.static-room
    test('a static room', async () => {
      const { phoneNumber } = await aRoute({ room: 'static' });
      expect(await refusalOf([csv(), ...fields({ name: 'A', phoneNumber })])).toMatch(/static room/);
    });
  });

  // shows: idempotency.bad-key
  test('an Idempotency-Key that is none', async () => {
    const { phoneNumber } = await aRoute();
    const errors = await errorsOf([csv(), ...fields({ name: 'A', phoneNumber })], {
      headers: { 'idempotency-key': 'x'.repeat(256) },
    });
    expect(errors).toEqual([expect.stringMatching(/^Idempotency-Key: /)]);
  });
});

describe('404', () => {
  const answer = async (values: Readonly<Record<string, string>>) => {
    const { status, body } = await send([csv(), ...fields({ name: 'A', ...values })]);
    return { status, body };
  };

  const noNumber = { status: 404, body: { message: 'Phone number not found' } };
  const noRule = { status: 404, body: { error: 'Routing rule not found' } };

  // shows: batch.create.number, errors.number-404, batch.create.unknown-number
  test('a number that the account does not have is not found, even if another account has it', async () => {
    const mine = await aRoute();
    const { account } = await anAccount();
    const theirs = await aRoute({ accountId: account.id });
    const before = await stored();

    expect(await answer({ phoneNumber: '+919999999999' })).toEqual(noNumber);
    expect(await answer({ phoneNumber: theirs.phoneNumber })).toEqual(noNumber);
    expect(await answer({ phoneNumberId: theirs.phoneNumberId })).toEqual(noNumber);
    expect(await answer({ phoneNumberId: 'not an id' })).toEqual(noNumber);
    expect(await answer({ phoneNumber: '+919999999999', phoneNumberId: mine.phoneNumberId })).toEqual(noNumber);
    expect(await stored()).toEqual(before);
  });

  // shows: batch.create.unknown-rule
  test('a rule that the account does not have is not found, even if another account has it', async () => {
    const { phoneNumber } = await aRoute();
    const { account } = await anAccount();
    const theirs = await aRoute({ accountId: account.id });
    const before = await stored();

    expect(await answer({ phoneNumber, routingRuleId: 'rule_1' })).toEqual(noRule);
    expect(await answer({ phoneNumber, routingRuleId: theirs.ruleId })).toEqual(noRule);
    expect(await stored()).toEqual(before);
  });
});
