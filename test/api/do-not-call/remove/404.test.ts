import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aNumber, rowsOf } from '../../support-resources.js';
import { url } from '../support.js';

test('a number that is not on the list is not found, in the same words as another account’s', async () => {
  const { token } = await anAccount();
  const theirs = aNumber();
  await api.post(url, { phoneNumbers: [theirs] }, { token });
  const [unknown, anothers, none] = [
    await api.delete(`${url}/${aNumber()}`),
    await api.delete(`${url}/${theirs}`),
    await api.delete(`${url}/nobody`),
  ];
  for (const response of [unknown, anothers, none]) {
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ error: 'The number is not on the do-not-call list' });
  }
  expect(await rowsOf('select 1 from do_not_call where e164 = $1', [theirs])).toHaveLength(1);
});
