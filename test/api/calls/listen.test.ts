import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { aKey } from '../account/support.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, anotherApp, api, here } from '../support.js';
import { aCallThatIs } from './support.js';

const liveKit = {
  OUTDIAL_PROVIDER: 'livekit' as const,
  OUTDIAL_LIVEKIT_URL: 'http://livekit.internal:7880',
  OUTDIAL_LIVEKIT_PUBLIC_URL: 'https://calls.example.com',
  OUTDIAL_LIVEKIT_API_KEY: 'devkey',
  OUTDIAL_LIVEKIT_API_SECRET: 'a secret of at least thirty-two characters',
};
const real = () => anotherApp({ env: { ...here().deps.env, ...liveKit } });
const listen = (callId: string, options: object = {}) => api.post(`/v1/calls/${callId}/listen`, undefined, options);

async function aLiveCall(phase: 'queued' | 'ringing' | 'answered' | 'ended' = 'answered') {
  const call = await aCallThatIs(phase);
  await rowsOf('update calls set simulated = false where id = $1', [call.uuid]);
  await rowsOf("update call_attempts set room = 'the room' where call_id = $1", [call.uuid]);
  return call;
}

describe('200', () => {
  // shows: calls.listen
  test.each(['ringing', 'answered'] as const)(
    'a call that is %s has a hidden, silent place for a minute',
    async (phase) => {
      const { id } = await aLiveCall(phase);
      const response = await listen(id, { app: await real() });
      expect([response.status, response.text]).toEqual([200, expect.any(String)]);
      const { token, ...place } = response.body as { token: string; expiresAt: string };
      expect(place).toMatchObject({ url: 'wss://calls.example.com', room: 'the room' });
      expect(decodeJwt(token)).toMatchObject({
        iss: 'devkey',
        sub: expect.stringMatching(/^listener_/) as unknown,
        video: {
          ...{ room: 'the room', roomJoin: true, hidden: true, canSubscribe: true },
          ...{ canPublish: false, canPublishData: false, canUpdateOwnMetadata: false },
        },
      });
      expect(Date.parse(place.expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
      const [entry] = await rowsOf('select action from audit_log where target = $1 order by id desc', [id]);
      expect(entry).toEqual({ action: 'call.listen' });
    },
  );

  // shows: calls.listen.permission
  test('operate does not listen; a token with listen does, and does nothing else', async () => {
    const { id } = await aLiveCall();
    const app = await real();
    const operating = await aKey({ permissions: ['operate'] });
    expect((await listen(id, { app, token: operating.token })).status).toBe(403);
    const listening = await aKey({ permissions: ['listen'] });
    expect((await listen(id, { app, token: listening.token })).status).toBe(200);
    expect((await api.get(`/v2/sip/call/${id}`, { app, token: listening.token })).status).toBe(403);
  });
});

describe('404', () => {
  test.each(['call_00000000-0000-7000-8000-000000000000', 'nonsense'])('%s is no call', async (callId) => {
    expect((await listen(callId)).status).toBe(404);
  });
  test('the call of another account is as one that is not there', async () => {
    const { id } = await aLiveCall();
    const { token } = await anAccount('Listens in');
    expect((await listen(id, { token })).status).toBe(404);
  });
});

describe('409', () => {
  test.each(['queued', 'ended'] as const)('a call that is %s is not live', async (phase) => {
    const { id } = await aLiveCall(phase);
    expect(await listen(id, { app: await real() })).toMatchObject({
      status: 409,
      text: expect.stringContaining('not live'),
    });
  });
  test('a simulated call has no sound', async () => {
    const { id, uuid } = await aLiveCall();
    await rowsOf('update calls set simulated = true where id = $1', [uuid]);
    expect(await listen(id, { app: await real() })).toMatchObject({
      status: 409,
      text: expect.stringContaining('no sound'),
    });
  });
});
