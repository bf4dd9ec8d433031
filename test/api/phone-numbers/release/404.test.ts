import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aNumber, aRegisteredNumber } from '../../support-resources.js';

test('a number of nobody and one of another account sound the same, and theirs stays', async () => {
  const other = await anAccount();
  const theirs = await aRegisteredNumber({}, { token: other.token });
  for (const name of [theirs.phoneNumberId, theirs.e164, aNumber(), 'num_0']) {
    const response = await api.post(`/v2/sip/phone-numbers/${name}/release`);
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ message: 'Phone number not found' });
  }
  const after = await api.get(`/v2/sip/phone-numbers/${theirs.e164}`, { token: other.token });
  expect(after.status).toBe(200);
});
