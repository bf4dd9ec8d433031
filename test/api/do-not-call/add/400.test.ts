import { expect, test } from 'vitest';
import { csv, fields } from '../../batch-calls/support.js';
import { api } from '../../support.js';
import { aNumber, rowsOf } from '../../support-resources.js';
import { sendFile, sendParts, url } from '../support.js';

test('where one number is not valid none is added, and each that is wrong is named', async () => {
  const good = aNumber();
  const response = await api.post(url, { phoneNumbers: [good, '98770', 'x'], why: 1 });
  expect(response.status).toBe(400);
  const { errors } = response.body as { errors: string[] };
  expect(errors.map((line) => line.split(':')[0])).toEqual(['phoneNumbers[1]', 'phoneNumbers[2]', 'why']);
  expect(await rowsOf('select 1 from do_not_call where e164 = $1', [good])).toEqual([]);
});

test('a list without numbers is refused', async () => {
  expect((await api.post(url, { phoneNumbers: [] })).status).toBe(400);
  expect((await api.post(url, {})).body).toMatchObject({ errors: ['phoneNumbers: is required'] });
});

test('a file without a phone_number column is refused in the words of a batch call', async () => {
  const response = await sendFile('Phone Number\n+919877012345\n');
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ errors: [expect.stringContaining('rename it to phone_number')] });
});

test('unknown fields, a wrong kind of file and a missing one are named', async () => {
  const wrong = await sendParts([csv('x', 'numbers.pdf'), ...fields({ why: 'x', missingPlus: 'guess' })]);
  expect(wrong.status).toBe(400);
  const { errors } = wrong.body as { errors: string[] };
  expect(errors.map((line) => line.split(':')[0])).toEqual(['file', 'missingPlus', 'why']);
  expect((await sendParts(fields({ reason: 'x' }))).body).toMatchObject({
    errors: [expect.stringMatching(/^file: is required/)],
  });
});
