import { expect, test } from 'vitest';
import { file, sendForm } from '../support.js';

test('of requests with one Idempotency-Key at the same time one is done, the others repeat it or are told to wait', async () => {
  const headers = { 'idempotency-key': 'kb-3' };
  const responses = await Promise.all(Array.from({ length: 5 }, () => sendForm([file('hello')], { headers })));

  const made = responses.filter(({ status }) => status === 201);
  expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  for (const { status, body } of responses.filter((response) => !made.includes(response))) {
    expect({ status, body }).toEqual({ status: 409, body: { error: expect.stringContaining('still running') } });
  }
});
