import { describe, expect, test } from 'vitest';
import { aRoute, csv, fields, multipart } from '../batch-calls/support.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api } from '../support.js';

describe('200', () => {
  const url = '/v1/account/defaults';

  interface Batch {
    readonly batchId: string;
    readonly timezone: string;
    readonly timestamp: number;
    readonly startsAt: string;
  }

  async function created(token: string, accountId: string, change: object = {}): Promise<Batch> {
    const { phoneNumber } = await aRoute({ accountId });
    const { body, contentType } = multipart([csv(), ...fields({ name: 'Try', phoneNumber, ...change })]);
    const answer = await api.post('/v1/batch-calls', body, { token, headers: { 'content-type': contentType } });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return answer.body as Batch;
  }

  const detail = async (token: string, { batchId }: Batch) =>
    (await api.get(`/v1/batch-calls/${batchId}`, { token })).body as Record<string, unknown>;

  test('defaults that are put are those that are got, and a field that is omitted goes back', async () => {
    const { token } = await anAccount('Defaults');
    expect((await api.get(url, { token })).body).toEqual({});
    const asked = {
      timezone: 'America/Chicago',
      country: 'US',
      callingWindow: { from: '09:00', until: '20:00' },
      unfilledPlaceholders: 'reject',
      preDial: { url: 'https://example.com/ask', timeoutMs: 900, onError: 'skip' },
    };
    const put = await api.put(url, asked, { token });
    expect(put.status).toBe(200);
    expect(put.body).toEqual({
      ...asked,
      callingWindow: { from: '09:00', until: '20:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'recipient' },
      updatedAt: expect.any(String) as unknown,
    });
    expect((await api.get(url, { token })).body).toEqual(put.body);
    expect((await api.put(url, put.body as object, { token })).status).toBe(200);

    const less = await api.put(url, { country: 'GB' }, { token });
    expect(less.body).toEqual({ country: 'GB', updatedAt: expect.any(String) as unknown });
    expect(await rowsOf("select 1 from audit_log where action = 'account.defaults'")).not.toEqual([]);
  });

  test('a batch takes the defaults of its account for what it does not say, and keeps them', async () => {
    const { token, account } = await anAccount('Takes defaults');
    await api.put(
      url,
      {
        timezone: 'America/Chicago',
        country: 'US',
        callingWindow: { from: '09:00', until: '20:00', timezone: 'America/New_York' },
        unfilledPlaceholders: 'reject',
      },
      { token },
    );
    const plain = await created(token, account.id);
    expect(plain.timezone).toBe('America/Chicago');
    expect(await detail(token, plain)).toMatchObject({
      callingWindow: { from: '09:00', until: '20:00', timezone: 'America/New_York' },
      defaultCountry: 'US',
      unfilledPlaceholders: 'reject',
    });

    const date = new Date(Date.now() + 86_400_000 * 30).toISOString().slice(0, 10);
    const scheduled = await created(token, account.id, { schedule: { date, time: '09:30' } });
    expect(scheduled.timezone).toBe('America/Chicago');
    expect(Math.floor(Date.parse(scheduled.startsAt) / 1000)).toBe(scheduled.timestamp);
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Chicago', hour: '2-digit', minute: '2-digit' });
    expect(clock.format(new Date(scheduled.startsAt))).toBe('09:30');
    const moved = await api.patch(
      `/v1/batch-calls/${scheduled.batchId}`,
      { schedule: { date, time: '10:30' } },
      { token },
    );
    expect(moved.body).toMatchObject({ timezone: 'America/Chicago' });
    expect(clock.format(new Date((moved.body as Batch).startsAt))).toBe('10:30');

    const own = await created(token, account.id, {
      schedule: { date, time: '09:30', timezone: 'Europe/Paris' },
      callingWindow: { from: '10:00', until: '12:00' },
      unfilledPlaceholders: 'allow',
      missingPlus: 'add',
    });
    expect(own.timezone).toBe('Europe/Paris');
    const saysItself = await detail(token, own);
    expect(saysItself).toMatchObject({ callingWindow: { from: '10:00' }, unfilledPlaceholders: 'allow' });
    expect(saysItself).not.toHaveProperty('defaultCountry');

    await api.put(url, {}, { token });
    expect(await detail(token, plain)).toMatchObject({ timezone: 'America/Chicago', unfilledPlaceholders: 'reject' });
    expect((await created(token, account.id)).timezone).toBe('Asia/Calcutta');
  });

  test('a list of windows with excepted dates is taken, answered as it was sent and can be sent back to PATCH', async () => {
    const { token, account } = await anAccount('Takes lists');
    const weekdays = { daysOfWeek: [1, 2, 3, 4, 5], timezone: 'Europe/Paris', except: ['2027-05-01', '2027-12-25'] };
    const callingWindow = [
      { from: '09:00', until: '12:00', ...weekdays },
      { from: '10:00', until: '13:00', daysOfWeek: [6], timezone: 'Europe/Paris' },
    ];
    expect((await api.put(url, { callingWindow }, { token })).body).toMatchObject({ callingWindow });
    const batch = await created(token, account.id);
    expect(await detail(token, batch)).toMatchObject({ callingWindow });
    const one = { ...callingWindow[0], except: ['2028-02-29'] };
    const at = `/v1/batch-calls/${batch.batchId}`;
    expect((await api.patch(at, { callingWindow: one }, { token })).body).toMatchObject({ callingWindow: one });
    const got = (await api.get(at, { token })).body as object;
    expect((await api.patch(at, got, { token })).status).toBe(200);
    const wrong = await api.patch(at, { callingWindow: [one, { ...one, except: ['2027-02-29'] }] }, { token });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('callingWindow[1].except[0]');
  });

  test('what GET answers of a batch with defaults can be sent back to PATCH', async () => {
    const { token, account } = await anAccount('Round trip');
    await api.put(url, { country: 'US', unfilledPlaceholders: 'reject' }, { token });
    const batch = await created(token, account.id);
    const answer = await api.patch(
      `/v1/batch-calls/${batch.batchId}`,
      { ...(await detail(token, batch)), name: 'Other' },
      { token },
    );
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ batchName: 'Other' })]);
  });
});

describe('400', () => {
  test('everything that is wrong with the defaults is told at once, by field', async () => {
    const answer = await api.put('/v1/account/defaults', {
      timezone: 'Chicago',
      country: 'USA',
      callingWindow: { from: '9', until: '20:00' },
      unfilledPlaceholders: 'never',
      zone: 'UTC',
    });
    expect(answer.status).toBe(400);
    const text = JSON.stringify(answer.body);
    for (const name of ['timezone', 'country', 'callingWindow.from', 'unfilledPlaceholders', 'zone']) {
      expect(text).toContain(name);
    }
  });

  test('001 is no country that numbers are written in', async () => {
    expect((await api.put('/v1/account/defaults', { country: '001' })).status).toBe(400);
  });
});
