import { describe, expect, test } from 'vitest';
import { aNumber, aRegisteredNumber, rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

interface Body {
  readonly phoneNumber: Readonly<Record<string, unknown>>;
}
const patch = (name: string, body: object, options = {}) => api.patch(`/v2/sip/phone-numbers/${name}`, body, options);

describe('200', () => {
  test('limits are set, kept if they are not named, and cleared by null; the answer is the item of the list', async () => {
    const { e164, phoneNumberId } = await aRegisteredNumber();
    const both = await patch(phoneNumberId, { maxCallsPerDay: 200, minSecondsBetweenCalls: 5, name: 'Sales' });
    expect(both.status).toBe(200);
    expect((both.body as Body).phoneNumber).toMatchObject({
      ...{ name: 'Sales', maxCallsPerDay: 200, minSecondsBetweenCalls: 5, callsToday: 0 },
    });
    expect(both.body).toEqual((await api.get(`/v2/sip/phone-numbers/${phoneNumberId}`)).body);

    const one = await patch(encodeURIComponent(e164), { maxCallsPerDay: null });
    expect((one.body as Body).phoneNumber).toMatchObject({
      ...{ name: 'Sales', maxCallsPerDay: null, minSecondsBetweenCalls: 5 },
    });
    expect((await patch(phoneNumberId, {})).body).toEqual(one.body);
    expect((await api.get(`/v2/sip/phone-numbers?search=${encodeURIComponent(e164)}`)).body).toMatchObject({
      data: [one.body],
    });
  });

  test('a day of the number begins at midnight of its area', async () => {
    const { phoneNumberId } = await aRegisteredNumber({ phoneNumbers: ['+13125550142'] });
    const response = await patch(phoneNumberId, { maxCallsPerDay: 1 });
    expect((response.body as Body).phoneNumber).toMatchObject({ timezone: 'America/Chicago', callsToday: 0 });
  });

  test('a number without limits is not counted', async () => {
    const { phoneNumberId } = await aRegisteredNumber();
    expect(((await patch(phoneNumberId, { name: 'Sales' })).body as Body).phoneNumber).toMatchObject({
      ...{ maxCallsPerDay: null, minSecondsBetweenCalls: null, callsToday: null, timezone: null },
      lastSevenDays: { attempts: 0, answered: 0, answerRate: null },
    });
  });

  // shows: numbers.answers
  test('the answers of seven days are those of the figures, folded or not, of this number and account', async () => {
    const { e164, phoneNumberId } = await aRegisteredNumber();
    const figure = `insert into figures (account_id, batch_id, dimension, day, key, calls, attempts, answered, human, machine, talk_ms)
      select $1, '', 'phoneNumber', (now() at time zone 'UTC')::date - $2::integer, $3, 0, $4::integer, $5::integer, 0, 0, 0`;
    const accountId = here().me.account.id;
    await rowsOf(figure, [accountId, 6, e164, 10, 2]);
    await rowsOf(figure, [accountId, 7, e164, 1_000, 1_000]);
    await rowsOf(figure, [(await anAccount()).account.id, 1, e164, 1_000, 1_000]);
    await rowsOf(
      `insert into figure_changes (account_id, batch_id, day, phone_number, calls, attempts, answered, human, machine, talk_ms)
       values ($1, 'batch_x', (now() at time zone 'UTC')::date, $2, 0, 6, 2, 0, 0, 0)`,
      [accountId, e164],
    );
    expect(((await api.get(`/v2/sip/phone-numbers/${phoneNumberId}`)).body as Body).phoneNumber).toMatchObject({
      lastSevenDays: { attempts: 16, answered: 4, answerRate: 0.25 },
    });
  });
});

describe('400', () => {
  test('all that is wrong is named at once', async () => {
    const { phoneNumberId } = await aRegisteredNumber();
    const response = await patch(phoneNumberId, {
      maxCallsPerDay: 0,
      minSecondsBetweenCalls: 1.5,
      name: '',
      e164: 'x',
    });
    expect(response.status).toBe(400);
    for (const field of ['maxCallsPerDay', 'minSecondsBetweenCalls', 'name', 'e164']) {
      expect(response.text).toContain(field);
    }
  });
});

describe('404', () => {
  test('an unknown number and one of another account get the same answer, and keep their limits', async () => {
    const { token } = await anAccount();
    const theirs = await aRegisteredNumber({}, { token });
    for (const name of [theirs.phoneNumberId, theirs.e164, aNumber(), 'num_0']) {
      const response = await patch(name, { maxCallsPerDay: 1 });
      expect([response.status, response.body]).toEqual([404, { message: 'Phone number not found' }]);
    }
    const own = await api.get(`/v2/sip/phone-numbers/${theirs.phoneNumberId}`, { token });
    expect((own.body as Body).phoneNumber).toMatchObject({ maxCallsPerDay: null });
  });
});
