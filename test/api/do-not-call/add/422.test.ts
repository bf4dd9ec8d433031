import { expect, test } from 'vitest';
import { aNumber } from '../../support-resources.js';
import { sendFile } from '../support.js';

test('an Idempotency-Key repeats its first answer, whatever the boundary of the form, and is for one content', async () => {
  const headers = { 'idempotency-key': 'list-2' };
  const text = `phone_number\n${aNumber()}\n`;
  const first = await sendFile(text, {}, { headers });
  const again = await sendFile(text, {}, { headers });
  expect(again.status).toBe(201);
  expect(again.body).toEqual(first.body);
  expect(again.headers['idempotent-replayed']).toBe('true');
  const other = await sendFile(text, { reason: 'Another' }, { headers });
  expect(other.status).toBe(422);
  expect(other.body).toEqual({ error: expect.any(String) });
});
