import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLiveKit } from '../../../cli/roles/livekit.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { hasAgentWorker } from '../../../db/queries/dialer/agent-slots.js';
import { wakeWatchersOfRoom, storeDisconnect } from '../../../db/queries/dialer/disconnects.js';
import { readCalleeIdentity } from '../../../domain/call/callee-identity.js';
import { disconnectOf } from '../../../domain/call/disconnect.js';
import { createLogger } from '../../../platform/logger.js';
import type { CallProvider } from '../../../telephony/provider.js';
import { dialerTestEnv, type Gateway, type DialerTestEnv } from '../dialer/test-env.js';
import { type CourseName, left, numberOf } from './courses.js';
import { FakeLiveKit } from './fake-livekit.js';

let testEnv: DialerTestEnv;
let database: Database;
let fake: FakeLiveKit;
let provider: CallProvider;
let gateway: Gateway;

beforeAll(async () => {
  testEnv = await dialerTestEnv();
  fake = await FakeLiveKit.start();
  const { connectionString = '' } = testEnv.database.pool.options;
  // Of its own: the environment's is closed with it, and the driver listens on a connection.
  database = openDatabase({ url: connectionString, poolSize: 3, name: 'livekit' });
  const { url, apiKey, apiSecret } = fake;
  provider = openLiveKit([{ name: 'default', url, apiKey, apiSecret }], database, createLogger('dialer', 'silent'));
  // What the webhook's route does with what it has verified.
  fake.rooms.onLeft(({ room, participant: { identity, attributes, disconnectReason }, createdAt }) => {
    const ref = readCalleeIdentity(identity);
    const hint = disconnectOf(attributes, disconnectReason, new Date(Number(createdAt) * 1000));
    void (async () => {
      if (ref !== null) await storeDisconnect(database.db, { ...ref, attempt: ref.attempt }, hint);
      await wakeWatchersOfRoom(database.db, room.name);
    })();
  });
  await testEnv.dialer(provider);
  gateway = await testEnv.gateway();
});
afterAll(async () => {
  await testEnv.close();
  await provider.close();
  await database.close();
  await fake.down();
});

const workers = (slots: number, region = 'default') =>
  testEnv.database.db
    .insertInto('agent_workers')
    // Seen for as long as the tests may take.
    .values({ id: `worker-${region}`, region, slots, seen_at: new Date(Date.now() + 86_400_000) })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ slots }))
    .execute();

const attemptOf = (callId: string | undefined) =>
  testEnv.database.db
    .selectFrom('call_attempts')
    .select(['phase', 'outcome', 'reason', 'sip_status_code', 'sip_phrase', 'invite', 'free_tries'])
    .where('call_id', '=', callId ?? '')
    .executeTakeFirstOrThrow();

async function wasGivenBack(callId: string | undefined): Promise<boolean> {
  const {
    phase,
    due_at: dueAt,
    created_at: createdAt,
  } = await testEnv.database.db
    .selectFrom('call_attempts')
    .select(['phase', 'due_at', 'created_at'])
    .where('call_id', '=', callId ?? '')
    .executeTakeFirstOrThrow();
  return phase === 'queued' && dueAt.getTime() - createdAt.getTime() > 500;
}

const call = async (course: CourseName) => (await testEnv.calls(gateway, null, [numberOf(course)]))[0];
const invitesOf = (callId: string | undefined) =>
  fake.invites.filter((identity) => identity.startsWith(`callee_${callId}_`)).length;

describe('a dialer with the LiveKit driver', () => {
  test('dials nothing while no agent worker of the region is ready, and dials as soon as one is', async () => {
    await workers(5, 'elsewhere');
    expect(await hasAgentWorker(testEnv.database.db, 'default')).toBe(false);
    const callId = await call('486');
    // It was claimed and given back for later.
    await expect.poll(() => wasGivenBack(callId)).toBe(true);
    expect(invitesOf(callId)).toBe(0);

    await workers(50);
    expect(await hasAgentWorker(testEnv.database.db, 'default')).toBe(true);
    await expect.poll(() => attemptOf(callId)).toMatchObject({ phase: 'ended', outcome: 'rejected' });
    expect(await attemptOf(callId)).toMatchObject({ sip_status_code: 486, sip_phrase: 'Busy Here', reason: 'busy' });
    expect(invitesOf(callId)).toBe(1);
  });

  test('stores an answered call, ended by what the webhook told', async () => {
    await workers(50);
    const callId = await call('answers and talks a little');
    await expect
      .poll(() => attemptOf(callId))
      .toMatchObject({ phase: 'ended', outcome: 'answered', reason: 'callee_hung_up', sip_status_code: 200 });
  });

  test('puts a call back that LiveKit SIP was too busy for, nothing consumed', async () => {
    await workers(50);
    const callId = await call('LiveKit SIP busy');
    await expect.poll(async () => (await attemptOf(callId)).invite).toBeGreaterThanOrEqual(2);
    expect(await attemptOf(callId)).toMatchObject({ outcome: null, free_tries: 0 });
    expect(invitesOf(callId)).toBe(0);
  });

  test('hangs up a ringing call that is ended by the API', async () => {
    await workers(50);
    const callId = await call('rings for long');
    await expect.poll(async () => (await attemptOf(callId)).phase).toBe('ringing');
    await testEnv.database.db
      .updateTable('call_attempts')
      .set({ hang_up_at: new Date(), hang_up_reason: 'ended_by_api' })
      .where('call_id', '=', callId ?? '')
      .execute();
    await expect
      .poll(() => attemptOf(callId))
      .toMatchObject({ phase: 'ended', outcome: 'abandoned', reason: 'ended_by_api' });
  });

  test('dials no more at once than there are slots', async () => {
    await workers(1);
    const numbers = [numberOf('rings for long'), numberOf('is tried for long')];
    const [first, second] = await testEnv.calls(gateway, null, numbers);
    const invites = () => invitesOf(first) + invitesOf(second);
    const phases = async () => [(await attemptOf(first)).phase, (await attemptOf(second)).phase];
    /** Ends the leg that was dialed last. */
    const leaves = async () => {
      const dial = fake.received.findLast(({ method }) => method === 'SIP/CreateSIPParticipant')?.body;
      const [room, identity] = [String(dial?.roomName), String(dial?.participantIdentity)];
      await expect.poll(() => fake.rooms.identitiesIn(room)).toContain(identity);
      fake.rooms.leaves(room, identity, left.unavailable);
    };
    await expect.poll(invites).toBe(1);
    await expect.poll(phases).toContain('queued');
    expect(invites()).toBe(1);

    await leaves();
    await expect.poll(invites).toBe(2);
    await leaves();
    await expect.poll(phases).toEqual(['ended', 'ended']);
  });
});
