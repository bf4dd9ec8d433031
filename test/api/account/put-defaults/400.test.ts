import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('everything that is wrong with the defaults is told at once, by field', async () => {
  const answer = await api.put('/v1/account/defaults', {
    timezone: 'Chicago',
    country: 'USA',
    callingWindow: { from: '9', until: '20:00' },
    unfilledPlaceholders: 'never',
    zone: 'UTC',
  });
  expect(answer.status).toBe(400);
  const text = JSON.stringify(answer.body);
  for (const name of ['timezone', 'country', 'callingWindow.from', 'unfilledPlaceholders', 'zone']) {
    expect(text).toContain(name);
  }
});

test('001 is no country that numbers are written in', async () => {
  expect((await api.put('/v1/account/defaults', { country: '001' })).status).toBe(400);
});
