import { expect, test } from 'vitest';
import { file, sendForm } from '../support.js';

test('an Idempotency-Key is for one content: another file is refused', async () => {
  const headers = { 'idempotency-key': 'kb-2' };
  expect((await sendForm([file('one')], { headers })).status).toBe(201);
  const response = await sendForm([file('two')], { headers });
  expect({ status: response.status, body: response.body }).toEqual({
    status: 422,
    body: { error: expect.any(String) },
  });
});
