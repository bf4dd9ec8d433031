import { expect, test } from 'vitest';
import { api } from '../../support.js';

const url = '/v1/account/guardrails';

test('everything that is wrong is named at once, and nothing is changed', async () => {
  const before = (await api.get(url)).body;
  const response = await api.put(url, {
    callingHours: { from: '9am', until: '20:00', daysOfWeek: [0] },
    maxAttemptsPerNumberPerDay: 0,
    allowedCountries: ['XX'],
    disclosure: '',
    speed: 1,
  });
  expect(response.status).toBe(400);
  const { errors } = response.body as { errors: string[] };
  expect(errors.map((line) => line.split(':')[0])).toEqual([
    'allowedCountries[0]',
    'callingHours.daysOfWeek[0]',
    'callingHours.from',
    'disclosure',
    'maxAttemptsPerNumberPerDay',
    'speed',
  ]);
  expect((await api.get(url)).body).toEqual(before);
});

// shows: guardrails.hours
test('hours that could mean never or always are refused', async () => {
  const response = await api.put(url, { callingHours: { from: '09:00', until: '09:00' } });
  expect(response.status).toBe(400);
  expect(response.text).toContain('callingHours.until: must differ from callingHours.from');
});

test('a read-only field that was changed is refused', async () => {
  const response = await api.put(url, { dialingStopped: true });
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ errors: ['dialingStopped: cannot be changed'] });
});
