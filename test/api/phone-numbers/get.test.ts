import { describe, expect, test } from 'vitest';
import { aNumber, aRegisteredNumber } from '../support-resources.js';
import { anAccount, api } from '../support.js';

describe('200', () => {
  // shows: numbers.get
  test('a number is found by its id, by its E.164 with a plain + and with %2B: the bare item of the list', async () => {
    const { e164, phoneNumberId } = await aRegisteredNumber();
    const list = await api.get('/v2/sip/phone-numbers');
    const item = (list.body as { data: unknown[] }).data[0];

    for (const name of [phoneNumberId, e164, encodeURIComponent(e164)]) {
      const response = await api.get(`/v2/sip/phone-numbers/${name}`);
      expect(response.status).toBe(200);
      expect(response.body).toEqual(item);
    }
    expect(Object.keys(item as object)).toEqual(['phoneNumber', 'inbound', 'outbound']);
  });

  test('a number without gateways says null for both', async () => {
    const { e164, phoneNumberId } = await aRegisteredNumber();
    await api.post('/v2/sip/phone-numbers/detach', { phoneNumber: e164 });
    const response = await api.get(`/v2/sip/phone-numbers/${phoneNumberId}`);
    expect(response.body).toMatchObject({ phoneNumber: { e164 }, inbound: null, outbound: null });
  });
});

describe('404', () => {
  test('an unknown number and one of another account get the same answer, by id and by E.164', async () => {
    const other = await anAccount();
    const theirs = await aRegisteredNumber({}, { token: other.token });
    for (const name of [theirs.phoneNumberId, theirs.e164, aNumber(), 'num_0', 'detach', '%2B']) {
      const response = await api.get(`/v2/sip/phone-numbers/${name}`);
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ message: 'Phone number not found' });
    }
  });
});
