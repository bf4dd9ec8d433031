import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { sendFile, url } from '../support.js';

test('a file of over 5 MB is refused', async () => {
  const response = await sendFile(`phone_number\n${'+919877012345\n'.repeat(380_000)}`);
  expect(response.status).toBe(413);
  expect(response.body).toMatchObject({ error: expect.any(String) });
});

test('a JSON body of over 5 MB is refused', async () => {
  const response = await api.post(url, { phoneNumbers: ['+919877012345'], reason: 'x'.repeat(5_242_880) });
  expect(response.status).toBe(413);
});
