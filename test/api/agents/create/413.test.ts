import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { anAgent, minimal } from '../support.js';

/** A body of exactly so many bytes. */
function bodyOf(bytes: number): string {
  const text = JSON.stringify({ ...minimal, advanced: { filler: '' } });
  return text.replace('"filler":""', `"filler":"${'f'.repeat(bytes - text.length)}"`);
}

// shows: validation.limits
test('a body of 1 MB is taken, and one byte more is too large', async () => {
  const limit = 1_048_576;
  const largest: unknown = JSON.parse(bodyOf(limit));

  expect(await anAgent(largest as object)).toMatchObject({ name: 'Reminder' });
  expect(await api.post('/v1/agents', bodyOf(limit + 1))).toMatchObject({
    status: 413,
    body: { error: expect.any(String) },
  });
});
