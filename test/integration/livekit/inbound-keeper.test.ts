import { v7 as uuid } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import { inboundAnswered, inboundCall } from '../../../db/queries/calls/inbound.js';
import { lookAtCallersSoon } from '../../../db/queries/calls/inbound-legs.js';
import { keepInboundCalls } from '../../../dialer/inbound-keeper.js';
import { readInboundLeg } from '../../../domain/call/inbound-call.js';
import { inboundAttributes } from '../../../domain/call/inbound-line.js';
import { createLogger } from '../../../platform/logger.js';
import { ProviderUnreachable } from '../../../telephony/provider.js';
import { api, here, useApi } from '../../api/support.js';
import { aRegisteredNumber, aRule, anAgent } from '../../api/support-resources.js';

useApi();

/** Callers in rooms: what the list of participants says. */
class Rooms {
  readonly status = new Map<string, string>();
  readonly refers: string[] = [];
  /** Rooms without an agent. */
  readonly deserted = new Set<string>();
  /** Rules whose agents were sent, by room. */
  readonly sent: (readonly [room: string, ruleId: string])[] = [];
  /** Called when an agent is sent. */
  agentComes: (room: string) => void = () => undefined;
  away = false;
  /** Rooms of a LiveKit that accepts questions and does not answer them before it is released. */
  readonly silent = new Set<string>();
  release: () => void = () => undefined;
  readonly released = new Promise<void>((resolve) => {
    this.release = resolve;
  });
  async find({ room }: { readonly room: string }) {
    if (this.silent.has(room)) await this.released;
    if (this.away) return Promise.reject(new ProviderUnreachable('away'));
    const callStatus = this.status.get(room);
    if (callStatus === undefined) return null;
    return { attributes: { 'sip.callStatus': callStatus }, hasAgent: !this.deserted.has(room) };
  }
  sendAgent({ room }: { readonly room: string }, ruleId: string) {
    this.sent.push([room, ruleId]);
    this.agentComes(room);
    return Promise.resolve();
  }
  hangUp({ room }: { readonly room: string }) {
    this.status.delete(room);
    return Promise.resolve();
  }
  transfer(_leg: unknown, to: string) {
    this.refers.push(to);
    return Promise.resolve({ transferred: true, message: 'taken' });
  }
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function keep(rooms: Rooms, timing = { everyMs: 50, goneAfterMs: 100, agentLostAfterMs: 100 }): void {
  const { database } = here();
  closers.push(keepInboundCalls({ database, legs: rooms, logger: createLogger('dialer', 'silent') }, timing));
}

async function aCall(rooms: Rooms, callStatus: string | null, hasAgent = true) {
  const { e164 } = await aRegisteredNumber();
  const ruleId = await aRule({ type: 'inbound', phoneNumbers: [e164], agentId: await anAgent() });
  if (!hasAgent) await here().database.pool.query('update routing_rules set agent_id = null where id = $1', [ruleId]);
  const room = `inbound_${uuid()}`;
  const attributes = {
    ...{ [inboundAttributes.rule]: ruleId, [inboundAttributes.number]: e164 },
    ...{ 'sip.callIDFull': uuid(), 'sip.phoneNumber': '+919812345678' },
  };
  const leg = readInboundLeg(attributes)!;
  const { db } = here().database;
  const call = await inboundCall(db, { leg, region: 'default', room, identity: 'sip_caller' });
  if (callStatus !== null) rooms.status.set(room, callStatus);
  return { ...call!, room, ruleId };
}

async function shown({ callId }: { readonly callId: string }): Promise<Record<string, unknown>> {
  const { body } = await api.get(`/v2/sip/call/call_${callId}`);
  return (body as { data: Record<string, unknown> }).data;
}
const becomes = (call: { readonly callId: string }, expected: object) =>
  expect.poll(() => shown(call)).toMatchObject(expected);

describe('the keeper of inbound calls', () => {
  test('sees that a call is answered, and that it is over, if no webhook tells', async () => {
    const rooms = new Rooms();
    const call = await aCall(rooms, 'active');
    keep(rooms);
    await becomes(call, { status: 'answered' });
    rooms.status.delete(call.room);
    await here().database.pool.query('update inbound_legs set checked_at = null where call_id = $1', [call.callId]);
    await becomes(call, { status: 'ended', reason: 'caller_hung_up' });
  });

  test('ends as missed what was never answered', async () => {
    const rooms = new Rooms();
    const call = await aCall(rooms, null);
    keep(rooms);
    await becomes(call, { status: 'missed' });
  });

  test('believes no absence while LiveKit cannot be asked', async () => {
    const rooms = new Rooms();
    rooms.away = true;
    const call = await aCall(rooms, 'active');
    keep(rooms);
    const looks = () =>
      here()
        .database.pool.query('select checked_at from inbound_legs where call_id = $1', [call.callId])
        .then(({ rows }) => (rows as { checked_at: Date | null }[])[0]?.checked_at?.getTime() ?? 0);
    await expect.poll(looks).toBeGreaterThan(0);
    const first = await looks();
    await expect.poll(looks).toBeGreaterThan(first);
    expect(await shown(call)).toMatchObject({ status: 'incoming' });
    rooms.away = false;
    await becomes(call, { status: 'answered' });
  });

  test('hangs up at once what the API ends', async () => {
    const rooms = new Rooms();
    const call = await aCall(rooms, 'active');
    keep(rooms);
    await becomes(call, { status: 'answered' });
    expect((await api.post('/v2/sip/call/end', { callId: `call_${call.callId}` })).status).toBe(200);
    await becomes(call, { status: 'ended', reason: 'ended_by_api' });
    expect(rooms.status.has(call.room)).toBe(false);
  });

  test('abandons what the API ends before it is answered', async () => {
    const rooms = new Rooms();
    const call = await aCall(rooms, 'ringing');
    keep(rooms);
    await api.post('/v2/sip/call/end', { callId: `call_${call.callId}` });
    await becomes(call, { status: 'abandoned', reason: 'ended_by_api' });
  });

  // shows: silent.inbound
  test('hangs up and sees answered what other LiveKits have while one does not answer', async () => {
    const rooms = new Rooms();
    const silent = await aCall(rooms, 'active');
    const [ended, answered] = [await aCall(rooms, 'active'), await aCall(rooms, 'ringing')];
    rooms.silent.add(silent.room);
    keep(rooms);
    await becomes(ended, { status: 'answered' });
    await api.post('/v2/sip/call/end', { callId: `call_${ended.callId}` });
    await becomes(ended, { status: 'ended', reason: 'ended_by_api' });
    rooms.status.set(answered.room, 'active');
    await becomes(answered, { status: 'answered' });
    expect(await shown(silent)).toMatchObject({ status: 'incoming' });
    rooms.release();
    await becomes(silent, { status: 'answered' });
  });

  /** The agent of an answered call leaves the room, and LiveKit tells of it. */
  async function losesAgent({ room }: { readonly room: string }, rooms: Rooms): Promise<void> {
    rooms.deserted.add(room);
    await lookAtCallersSoon(here().database.db, 'default', room);
  }

  test('sends another agent to a caller whose agent is gone, once, and the call goes on', async () => {
    const rooms = new Rooms();
    rooms.agentComes = (room) => rooms.deserted.delete(room);
    const call = await aCall(rooms, 'active');
    keep(rooms);
    keep(rooms);
    await becomes(call, { status: 'answered' });
    for (const times of [1, 2]) {
      await losesAgent(call, rooms);
      const sent = Array.from({ length: times }, () => [call.room, call.ruleId]);
      await expect.poll(() => rooms.sent).toEqual(sent);
      const absent = 'select 1 from inbound_legs where call_id = $1 and agent_absent_since is not null';
      await expect.poll(async () => (await here().database.pool.query(absent, [call.callId])).rowCount).toBe(0);
    }
    expect(await shown(call)).toMatchObject({ status: 'answered' });
  });

  test('hangs up a caller whose agent is gone and whom no other reaches in time', async () => {
    const rooms = new Rooms();
    const call = await aCall(rooms, 'active');
    keep(rooms);
    await becomes(call, { status: 'answered' });
    await losesAgent(call, rooms);
    await becomes(call, { status: 'ended', reason: 'agent_lost' });
    expect(rooms.status.has(call.room)).toBe(false);
    expect(rooms.sent).toEqual([[call.room, call.ruleId]]);
  });

  test('misses no agent in a call whose rule has none', async () => {
    const rooms = new Rooms();
    const call = await aCall(rooms, 'active', false);
    rooms.deserted.add(call.room);
    keep(rooms);
    await becomes(call, { status: 'answered' });
    await losesAgent(call, rooms);
    const isLookedAt = 'select 1 from inbound_legs where call_id = $1 and checked_at is not null';
    await expect.poll(async () => (await here().database.pool.query(isLookedAt, [call.callId])).rowCount).toBe(1);
    expect(rooms.sent).toEqual([]);
    expect(await shown(call)).toMatchObject({ status: 'answered' });
  });

  test('transfers once, and tells the end by it', async () => {
    const rooms = new Rooms();
    const call = await aCall(rooms, 'active');
    await inboundAnswered(here().database.db, call, new Date());
    const body = { callId: `call_${call.callId}`, transferTo: 'sip:desk@pbx.example.com' };
    expect((await api.post('/v2/sip/call/transfer', body)).status).toBe(200);
    keep(rooms);
    keep(rooms);
    await expect.poll(async () => JSON.stringify(await shown(call))).toContain('"transferred"');
    expect(rooms.refers).toEqual([body.transferTo]);
  });
});
