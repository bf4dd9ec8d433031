import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aRegisteredNumber } from '../../support-resources.js';

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
