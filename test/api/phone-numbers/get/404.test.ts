import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aNumber, aRegisteredNumber } from '../../support-resources.js';

test('a number that is nobody’s and one of another account sound the same, by id and by E.164', async () => {
  const other = await anAccount();
  const theirs = await aRegisteredNumber({}, { token: other.token });
  for (const name of [theirs.phoneNumberId, theirs.e164, aNumber(), 'num_0', 'detach', '%2B']) {
    const response = await api.get(`/v2/sip/phone-numbers/${name}`);
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ message: 'Phone number not found' });
  }
});
