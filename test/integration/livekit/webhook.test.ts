import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { legChannel, storedLeg } from '../../../db/queries/dialer/disconnects.js';
import { calleeIdentity } from '../../../domain/call/callee-identity.js';
import { readEnv } from '../../../platform/env.js';
import { anotherApp, here, settings, useApi } from '../../api/support.js';
import { left } from './courses.js';
import { type LeftEvent, signedWebhook } from './twirp.js';

useApi();

const key = { apiKey: 'APItest', apiSecret: 'a-secret-of-thirty-two-characters!' };
Object.assign(settings, {
  OUTDIAL_LIVEKIT_URL: 'http://127.0.0.1:7880',
  OUTDIAL_LIVEKIT_API_KEY: key.apiKey,
  OUTDIAL_LIVEKIT_API_SECRET: key.apiSecret,
});

/** A ringing leg of the account. */
async function aLeg() {
  const { database, me } = here();
  const callId = uuid();
  const [to_number, gateway_id] = [`+1555${Math.floor(1_000_000 + Math.random() * 8_999_999)}`, 'gwo_test'];
  const shared = { account_id: me.account.id, gateway_id, to_number };
  await database.db
    .insertInto('calls')
    .values({ ...shared, id: callId, from_number: '+15550100000', rule_id: 'rule_test', status: 'dialing' })
    .execute();
  await database.db
    .insertInto('call_attempts')
    .values({
      ...shared,
      call_id: callId,
      number: 1,
      invite: 2,
      phase: 'ringing',
      claimed_by: uuid(),
      due_at: new Date(),
    })
    .execute();
  return { callId, attempt: 1, invite: 2 };
}

function leftBy(identity: string, changes: { readonly createdAt?: string; readonly reason?: number } = {}): LeftEvent {
  return {
    ...{ event: 'participant_left', id: `EV_${uuid()}`, createdAt: changes.createdAt ?? '1795280000' },
    room: { name: `room of ${identity}`, sid: 'RM_x' },
    participant: {
      ...{ identity, kind: 'SIP', disconnectReason: changes.reason ?? left.unavailable },
      attributes: { 'sip.callStatus': 'ringing' },
    },
  };
}

async function send({ body, authorization }: { body: string; authorization?: string }, app = here().app) {
  const headers = {
    'content-type': 'application/webhook+json',
    ...(authorization === undefined ? {} : { authorization }),
  };
  return app.inject({ method: 'POST', url: '/livekit/webhook', headers, payload: body });
}

const disconnectIn = async (leg: Awaited<ReturnType<typeof aLeg>>) =>
  (await storedLeg(here().database.db, leg))?.disconnect;

describe('a webhook of LiveKit', () => {
  test('that is signed by our key is kept with the attempt whose callee has left', async () => {
    const leg = await aLeg();
    const answer = await send(await signedWebhook(leftBy(calleeIdentity(leg)), key));
    expect([answer.statusCode, answer.json()]).toEqual([200, { stored: true }]);
    expect(await disconnectIn(leg)).toEqual({
      ...{ callStatus: 'ringing', disconnectReason: left.unavailable, transferring: false },
      at: new Date(1795280000_000),
    });
  });

  test('tells the dialers which room to look at, also when it is an agent who left', async () => {
    const client = await here().database.pool.connect();
    const heard: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => heard.push(payload));
    await client.query(`listen ${legChannel}`);
    await send(await signedWebhook(leftBy('agent-AJ_1'), key));
    await expect.poll(() => heard).toEqual(['room of agent-AJ_1']);
    client.release(true);
  });

  test.each([
    ['without a token', {}],
    ['with a token that is none', { authorization: 'nonsense' }],
  ])('%s is refused', async (_what, change) => {
    const leg = await aLeg();
    const answer = await send({ body: JSON.stringify(leftBy(calleeIdentity(leg))), ...change });
    expect(answer.statusCode).toBe(401);
    expect(await disconnectIn(leg)).toBeNull();
  });

  test.each([
    ['by another secret', { ...key, apiSecret: 'another-secret-of-many-characters' }],
    ['by another key', { ...key, apiKey: 'APIother' }],
  ])('signed %s is refused', async (_what, signer) => {
    const leg = await aLeg();
    const answer = await send(await signedWebhook(leftBy(calleeIdentity(leg)), signer));
    expect(answer.statusCode).toBe(401);
    expect(answer.body).not.toContain(key.apiSecret);
    expect(await disconnectIn(leg)).toBeNull();
  });

  test('whose body is not the one that was signed is refused', async () => {
    const [leg, other] = [await aLeg(), await aLeg()];
    const { authorization } = await signedWebhook(leftBy(calleeIdentity(other)), key);
    const answer = await send({ body: JSON.stringify(leftBy(calleeIdentity(leg))), authorization });
    expect(answer.statusCode).toBe(401);
    expect(await disconnectIn(leg)).toBeNull();
  });

  test('that comes again while its token lives changes nothing, also after a later one', async () => {
    const leg = await aLeg();
    const early = await signedWebhook(leftBy(calleeIdentity(leg), { createdAt: '1795280000', reason: 3 }), key);
    const late = await signedWebhook(leftBy(calleeIdentity(leg), { createdAt: '1795280009' }), key);
    for (const each of [early, late, early]) expect((await send(each)).statusCode).toBe(200);
    expect(await disconnectIn(leg)).toMatchObject({ disconnectReason: left.unavailable, at: new Date(1795280009_000) });
  });

  test('that is replayed when its token has expired is refused', async () => {
    const leg = await aLeg();
    const answer = await send(await signedWebhook(leftBy(calleeIdentity(leg)), key, '-1m'));
    expect(answer.statusCode).toBe(401);
    expect(await disconnectIn(leg)).toBeNull();
  });

  test.each([
    ['a callee who was not dialed', `callee_${uuid()}_1_1`],
    ['an identity that is none of ours', 'someone'],
    ['an identity that only looks like one', "callee_x'); drop table calls_1_1"],
  ])('about %s is taken and kept nowhere', async (_what, identity) => {
    const answer = await send(await signedWebhook(leftBy(identity), key));
    expect([answer.statusCode, answer.json()]).toEqual([200, { stored: false }]);
  });

  test('about an earlier INVITE of the attempt is kept nowhere', async () => {
    const leg = await aLeg();
    const identity = calleeIdentity({ ...leg, invite: 1 });
    expect((await send(await signedWebhook(leftBy(identity), key))).json()).toEqual({ stored: false });
    expect(await disconnectIn(leg)).toBeNull();
  });

  test('that is larger than LiveKit ever sends is not read', async () => {
    const answer = await send({ body: 'x'.repeat(300_000) });
    expect(answer.statusCode).toBe(413);
  });

  test('has no route if no LiveKit is set up', async () => {
    const app = await anotherApp({ env: readEnv({ OUTDIAL_PROVIDER: 'simulator' }) });
    expect((await send({ body: '{}' }, app)).statusCode).toBe(404);
  });
});
