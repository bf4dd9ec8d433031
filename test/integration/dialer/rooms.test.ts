import { v7 as uuidv7 } from 'uuid';
import { afterEach, expect, test } from 'vitest';
import { liveKitRoom } from '../../../domain/call/room.js';
import { orderTo } from '../simulator/carrier-process.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const callOf = (id: string) =>
  testEnv.database.db
    .selectFrom('calls as c')
    .innerJoin('call_attempts as a', 'a.call_id', 'c.id')
    .select(['c.settled', 'c.status', 'c.reason', 'c.room_id', 'a.room', 'a.phase'])
    .where('c.id', '=', id)
    .executeTakeFirstOrThrow();

test('P1-2: the carrier’s side gets a room with the account in front, the account sees its own name', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  await testEnv.database.db
    .updateTable('routing_rules')
    .set({ room_type: 'static', room_id: 'support' })
    .where('id', '=', gateway.ruleId)
    .execute();
  await testEnv.database.db
    .insertInto('sip_webhooks')
    .values({
      ...{ id: 'swh_x', account_id: testEnv.accountId, url: 'https://example.com' },
      events: ['call-started'],
    })
    .execute();
  const [id = ''] = await testEnv.calls(gateway, null, numbersEndingIn(1, 1));
  await testEnv.dialer();
  await until(async () => (await callOf(id)).settled);

  const sent = testEnv.ledger().filter(({ event, callId }) => event === 'invite' && callId === id);
  expect(sent.map(({ room }) => room)).toEqual([liveKitRoom(testEnv.accountId, 'support')]);
  expect(await callOf(id)).toMatchObject({ room_id: 'support', room: liveKitRoom(testEnv.accountId, 'support') });
  const told = await testEnv.database.db.selectFrom('webhook_deliveries').select('payload').execute();
  expect(told.map(({ payload }) => (JSON.parse(payload) as { data: { roomId: string } }).data.roomId)).toEqual([
    'support',
  ]);
});

test('P1-2: a call that an earlier version put in a room without the account is still found, followed and hung up', async () => {
  testEnv = await dialerTestEnv({ speed: 1 });
  const gateway = await testEnv.gateway();
  const [id = ''] = await testEnv.calls(gateway, null, numbersEndingIn(0, 1));
  // As the earlier version dialed it: the same leg, its room without the account, its dialer dead.
  const provider = testEnv.provider();
  const room = `call_${id}_1_1`;
  const order = orderTo(numbersEndingIn(0, 1)[0] ?? '', {
    ...{ callId: id, attempt: 1, invite: 1, gatewayId: gateway.id, room, identity: `callee_${id}_1_1` },
  });
  const dead = uuidv7();
  await testEnv.database.db
    .insertInto('dialer_processes')
    .values({ id: dead, host: 'gone', pid: 1, lease_until: new Date(0) })
    .execute();
  await testEnv.database.db
    .updateTable('call_attempts')
    .set({ phase: 'ringing', invite: 1, claimed_by: dead, claimed_at: new Date(), dialed_at: new Date(), room })
    .where('call_id', '=', id)
    .execute();
  await provider.prepare(order);
  void provider.dial(order, () => undefined).catch(() => undefined);
  await until(() => testEnv.ledger().some(({ event }) => event === 'invite'));

  await testEnv.dialer();
  await until(async () => (await callOf(id)).phase === 'answered');
  expect((await callOf(id)).room).toBe(room);
  await testEnv.database.db
    .updateTable('call_attempts')
    .set({ hang_up_at: new Date(), hang_up_reason: 'ended_by_api' })
    .where('call_id', '=', id)
    .execute();
  await until(async () => (await callOf(id)).settled);
  expect(testEnv.ledger().filter(({ event }) => event === 'invite')).toHaveLength(1);
  expect(await callOf(id)).toMatchObject({ status: 'answered', reason: 'ended_by_api' });
});
