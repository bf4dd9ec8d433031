import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { aSipWebhook, webhookBody } from './support.js';

describe('200', () => {
  interface Hook {
    readonly url: string;
    readonly events: string[];
    readonly updatedAt: string;
  }

  const patch = (id: string, body: object) => api.patch(`/v2/sip/webhooks/${id}`, body);
  const get = async (id: string) => (await api.get(`/v2/sip/webhooks/${id}`)).body as Hook;

  // shows: sip-webhooks.crud
  test('what is sent is changed, the rest stays', async () => {
    const id = await aSipWebhook();
    const events = await patch(id, { events: ['call-missed'] });
    expect(events).toMatchObject({ status: 200, body: { id, url: webhookBody().url, events: ['call-missed'] } });
    const url = 'https://hooks.example.com/elsewhere';
    expect((await patch(id, { url })).body).toMatchObject({ id, url, events: ['call-missed'] });
    expect(await get(id)).toMatchObject({ url, events: ['call-missed'] });
  });

  test('what was got may be sent back with a change in it', async () => {
    const id = await aSipWebhook();
    const response = await patch(id, { ...(await get(id)), events: ['call-hangup'] });
    expect(response).toMatchObject({ status: 200, body: { events: ['call-hangup'] } });
  });

  test('an empty change changes nothing', async () => {
    const id = await aSipWebhook();
    const { url, events } = await get(id);
    expect(await patch(id, {})).toMatchObject({ status: 200, body: { url, events } });
  });
});

describe('400', () => {
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
});
