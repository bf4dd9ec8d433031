import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aSipWebhook } from '../support.js';

test.each([
  [{ url: 'http://hooks.example.com/calls' }, 'url'],
  [{ url: 'https://192.168.1.5/calls' }, 'url'],
  [{ events: [] }, 'events'],
  [{ events: ['call-exploded'] }, 'events[0]'],
  [{ id: 'swh_another' }, 'id'],
  [{ createdAt: '2026-01-01T00:00:00.000Z' }, 'createdAt'],
  [{ name: 'x' }, 'name'],
])('%j is refused, naming the field', async (body, field) => {
  const response = await api.patch(`/v2/sip/webhooks/${await aSipWebhook()}`, body);
  expect(response.status).toBe(400);
  const { errors } = response.body as { errors: string[] };
  expect(errors.map((each) => each.slice(0, each.indexOf(': ')))).toEqual([field]);
});
