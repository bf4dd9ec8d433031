import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { announceAgentWorker, withdrawAgentWorker } from '../../../db/queries/agents/workers.js';
import { readAgentJob } from '../../../domain/agent/job.js';
import { signToken } from '../../../platform/token.js';
import { anAgent, rowsOf } from '../support-resources.js';
import { anAccount, anotherApp, api, here, settings } from '../support.js';
import { aSession, aTriedAgent, startSession, withSettings, write } from './support.js';

settings.OUTDIAL_PROVIDER = 'simulator';

describe('201', () => {
  const languages = {
    english: { prompt: 'Remind {{first_name}}.', greeting: { text: 'Hello {{first_name}}.' } },
    hindi: { prompt: '{{first_name}} को {{appointment_date}} याद दिलाओ।' },
  };

  const liveKit = {
    OUTDIAL_PROVIDER: 'livekit' as const,
    OUTDIAL_LIVEKIT_URL: 'http://livekit.internal:7880',
    OUTDIAL_LIVEKIT_API_KEY: 'devkey',
    OUTDIAL_LIVEKIT_API_SECRET: 'a secret of at least thirty-two characters',
  };

  test('it tells what the page needs to know of the agent', async () => {
    const agentId = await aTriedAgent({ languages });
    const response = await startSession(agentId, { metadata: { language: 'hindi' } });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      token: expect.any(String),
      expiresAt: expect.any(String),
      ...{ agentId, name: 'Reminders', status: 'active', versionId: expect.stringMatching(/^ver_/) },
      ...{ language: 'hindi', languages: ['english', 'hindi'], fields: ['first_name', 'appointment_date'] },
      textOnlyReason: 'simulated',
      text: { model: 'openai/gpt-4.1-mini', problem: expect.stringContaining('OPENAI_API_KEY') },
    });
  });

  test('its token allows the playground of this agent for 15 minutes, and nothing else', async () => {
    const [agentId, other] = [await anAgent(), await anAgent()];
    const { token, expiresAt } = await aSession(agentId);
    expect(decodeJwt(token)).toMatchObject({ permissions: ['playground'], agent: agentId });
    expect(new Date(expiresAt).getTime() - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(new Date(expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(15 * 60_000);

    expect((await write(agentId, { messages: [] }, { token })).status).toBe(200);
    expect((await startSession(agentId, {}, { token })).status).toBe(201);
    expect((await write(other, { messages: [] }, { token })).status).toBe(403);
    expect((await startSession(other, {}, { token })).status).toBe(403);
    for (const url of ['/v1/agents', `/v1/agents/${agentId}`, '/v1/account']) {
      expect((await api.get(url, { token })).status).toBe(403);
    }
    const later = await anotherApp({ clock: () => new Date(Date.now() + 16 * 60_000) });
    expect(await startSession(agentId, {}, { token, app: later })).toMatchObject({
      status: 401,
      body: { error: 'The API token has expired.' },
    });
  });

  test('a session never outlives the token that asked for it, so that none renews itself', async () => {
    const agentId = await anAgent();
    const { secret, key } = here().me;
    const short = await signToken(secret, { keyId: key.id, permissions: ['playground'], ttlSeconds: 60 });
    const { token, expiresAt } = await aSession(agentId, { token: short });
    expect(new Date(expiresAt).getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(decodeJwt(token).exp).toBeLessThanOrEqual(decodeJwt(short).exp!);
    const again = await aSession(agentId, { token });
    expect(decodeJwt(again.token).exp).toBeLessThanOrEqual(decodeJwt(token).exp!);
  });

  test('with LiveKit the agent is sent to a room of the session’s own, as its live version', async () => {
    const agentId = await aTriedAgent({ languages });
    const app = await anotherApp({
      env: withSettings({ ...liveKit, OUTDIAL_LIVEKIT_PUBLIC_URL: 'https://calls.example.com' }),
    });
    const response = await startSession(agentId, { metadata: { first_name: 'Asha' } }, { app });
    const { voice, textOnlyReason, versionId } = response.body as Awaited<ReturnType<typeof aSession>>;
    expect(textOnlyReason).toBeUndefined();
    expect(voice).toMatchObject({ url: 'wss://calls.example.com', room: expect.stringMatching(/\.playground_/) });
    expect(voice?.room.startsWith(here().me.account.id), 'P1-2: the account stands in front').toBe(true);
    const claims = decodeJwt(voice!.token) as unknown as {
      video: object;
      roomConfig: { agents: { agentName: string; metadata: string }[] };
    };
    expect(claims.video).toEqual({
      ...{ room: voice!.room, roomJoin: true, canSubscribe: true },
      ...{ canPublish: true, canPublishSources: ['microphone'], canPublishData: false },
    });
    const [job] = claims.roomConfig.agents;
    expect(job?.agentName).toBe('outdial-agent');
    expect(readAgentJob(job!.metadata)).toEqual({
      ...{ kind: 'playground', accountId: here().me.account.id, agentId, versionId, metadata: { first_name: 'Asha' } },
      maxSeconds: 600,
    });
    expect(voice?.maxSeconds).toBe(600);
  });

  test('if no agent would come, it says why and what to do, and nothing if one would', async () => {
    const agentId = await aTriedAgent({ languages });
    const app = await anotherApp({ env: withSettings({ ...liveKit, OUTDIAL_PLAYGROUND_SECONDS: 90 }) });
    const worker = { id: `worker-${agentId}`, region: 'default' };
    const announce = (slots: number, used: number, state: 'warming' | 'ready' | 'draining') =>
      announceAgentWorker(here().database.db, { ...worker, slots, used, state });
    const voice = async () => ((await startSession(agentId, {}, { app })).body as { voice: object }).voice;

    expect(await voice()).toMatchObject({
      maxSeconds: 90,
      problem: expect.stringMatching(/No agent worker.*outdial agent/),
    });
    await announce(0, 0, 'warming');
    expect(await voice()).toMatchObject({ problem: expect.stringContaining('still warming up') });
    await announce(2, 2, 'ready');
    expect(await voice()).toMatchObject({
      problem: expect.stringMatching(/are taken by other conversations.*OUTDIAL_AGENT_SLOTS/),
    });
    await announce(2, 1, 'ready');
    expect(await voice()).not.toHaveProperty('problem');
    await announce(0, 1, 'draining');
    expect(await voice()).toMatchObject({ problem: expect.stringMatching(/are stopping.*outdial agent/) });
    await withdrawAgentWorker(here().database.db, worker.id);
  });

  test('an inactive agent can be written to as its latest version, and not talked to', async () => {
    const agentId = await aTriedAgent({ languages }, { status: 'inactive' });
    const app = await anotherApp({ env: withSettings(liveKit) });
    const response = await startSession(agentId, {}, { app });
    expect(response.body).toMatchObject({ status: 'inactive', textOnlyReason: 'inactive' });
    expect(response.body).not.toHaveProperty('voice');
  });

  test('without a LiveKit it says so', async () => {
    const app = await anotherApp({ env: withSettings({ OUTDIAL_PROVIDER: 'livekit' }) });
    expect((await startSession(await anAgent(), {}, { app })).body).toMatchObject({ textOnlyReason: 'no_livekit' });
  });

  test('the live version is what one talks to, whatever came after it', async () => {
    const agentId = await aTriedAgent({ languages });
    const { versionId } = await aSession(agentId);
    await api.put(`/v1/agents/${agentId}`, { name: 'Reminders', languages: { english: { prompt: 'New.' } } });
    expect(await aSession(agentId)).toMatchObject({ versionId, fields: ['first_name', 'appointment_date'] });
  });

  test('each session is in the audit log', async () => {
    const agentId = await anAgent();
    await aSession(agentId);
    expect(
      await rowsOf(`select key_id from audit_log where action = 'agent.playground' and target = $1`, [agentId]),
    ).toEqual([{ key_id: here().me.key.id }]);
  });
});

describe('400', () => {
  test.each([
    [{ metadata: { row: 1 } }],
    [{ metadata: { row: 'x'.repeat(1_001) } }],
    [{ metadata: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`c${i}`, 'x'.repeat(900)])) }],
    [{ versionId: 'ver_1' }],
  ])('%.60j is refused: it would not fit into the address of a room, or is not known', async (body) => {
    expect((await startSession(await anAgent(), body)).status).toBe(400);
  });
});

describe('429', () => {
  test('60 sessions a minute are enough for an account; others are not held up', async () => {
    const [busy, other] = [await anAccount(), await anAccount()];
    const agentId = await anAgent({ accountId: busy.account.id });
    const statuses = [];
    for (let request = 0; request < 61; request += 1) {
      statuses.push(await startSession(agentId, {}, { token: busy.token }));
    }

    expect(statuses.slice(0, 60).filter(({ status }) => status !== 201)).toEqual([]);
    expect(statuses[60]).toMatchObject({ status: 429, body: { error: expect.any(String) } });
    expect(Number(statuses[60]?.headers['retry-after'])).toBeGreaterThan(0);
    const theirs = await anAgent({ accountId: other.account.id });
    expect((await startSession(theirs, {}, { token: other.token })).status).toBe(201);
  });
});
