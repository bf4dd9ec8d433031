import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aRoute, csv, fields, multipart } from '../support.js';

test('a file of one byte too many is refused as create does', async () => {
  const file = csv('phone_number\n'.padEnd(5_242_881, '\n'));
  const { body, contentType } = multipart([file, ...fields({ name: 'A', phoneNumber: (await aRoute()).phoneNumber })]);
  const response = await api.post('/v1/batch-calls/validate', body, { headers: { 'content-type': contentType } });
  expect([response.status, response.body]).toEqual([
    413,
    { message: expect.any(String) as unknown, errors: [expect.stringMatching(/^file: /) as unknown] },
  ]);
});
