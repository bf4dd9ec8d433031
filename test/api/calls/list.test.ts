import { describe, expect, test } from 'vitest';
import { aCallingNumber, aNumber, rowsOf } from '../support-resources.js';
import { anAccount, api } from '../support.js';
import { aCall, aCallThatIs } from './support.js';

describe('200', () => {
  interface Page {
    readonly pageInfo: { currentPage: number; perPage: number; lastPage: number; total: number };
    readonly data: { id: string; status: string; agentId?: string; timelog: { status: string }[] }[];
  }

  async function list(query: Record<string, string | number>, options = {}): Promise<Page> {
    const words = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const response = await api.get(`/v2/sip/call?${words.toString()}`, options);
    expect(response.status).toBe(200);
    return response.body as Page;
  }

  const idsOf = async (query: Record<string, string | number>): Promise<string[]> =>
    (await list(query)).data.map(({ id }) => id);

  // shows: calls.list
  test('calls come newest first, in pages that do not overlap, and a page past the end is empty', async () => {
    const { token } = await anAccount();
    expect(await list({}, { token })).toEqual({
      pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 0 },
      data: [],
    });
    const { e164 } = await aCallingNumber();
    const made = [];
    for (let count = 0; count < 3; count++) made.unshift((await aCall({ sipCallFrom: e164 })).id);
    const search = e164;
    const first = await list({ search, perPage: 2 });
    expect(first.pageInfo).toEqual({ currentPage: 1, perPage: 2, lastPage: 2, total: 3 });
    const second = await list({ search, perPage: 2, page: 2 });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made);
    expect((await list({ search, page: 9 })).data).toEqual([]);
  });

  // shows: calls.list
  test('each filter finds its call and leaves out the others', async () => {
    const call = await aCall({ destinationRoomId: 'room-of-asha' });
    const other = await aCall();
    expect(await idsOf({ id: call.id })).toEqual([call.id]);
    expect(await idsOf({ id: `${call.id},${other.id}, nonsense` })).toEqual([other.id, call.id]);
    expect(await idsOf({ id: 'nonsense' })).toEqual([]);
    expect(await idsOf({ roomId: 'room-of-asha' })).toEqual([call.id]);
    expect(await idsOf({ roomId: other.roomId })).toEqual([other.id]);
    expect(await idsOf({ gatewayId: call.gatewayId })).toEqual([call.id]);
    expect(await idsOf({ ruleId: call.ruleId })).toEqual([call.id]);
    const [{ agentId = '' } = {}] = (await list({ id: call.id })).data;
    expect(await idsOf({ agentId })).toEqual([call.id]);
    expect(await idsOf({ agentId, status: 'initiated' })).toEqual([call.id]);
    expect(await idsOf({ agentId, status: 'ended' })).toEqual([]);
    expect(await idsOf({ agentId: 'agt_of_nobody' })).toEqual([]);
    expect(await idsOf({ search: call.to.slice(-7) })).toEqual([call.id]);
    expect(await idsOf({ ruleId: call.ruleId, gatewayId: other.gatewayId })).toEqual([]);
    expect(await idsOf({ ruleId: call.ruleId, type: 'inbound' })).toEqual([]);
    expect(await idsOf({ ruleId: call.ruleId, type: 'outbound' })).toEqual([call.id]);
    const tomorrow = Date.now() + 86_400_000;
    expect(await idsOf({ ruleId: call.ruleId, startDate: tomorrow })).toEqual([]);
    expect(await idsOf({ ruleId: call.ruleId, startDate: 0, endDate: tomorrow })).toEqual([call.id]);
  });

  test('the status that is asked for is the one that is shown', async () => {
    const made = {
      initiated: await aCallThatIs('queued'),
      ringing: await aCallThatIs('ringing'),
      answered: await aCallThatIs('answered'),
      ended: await aCallThatIs('ended'),
    };
    for (const [status, { id, ruleId }] of Object.entries(made)) {
      expect((await list({ ruleId, status })).data).toMatchObject([{ id, status }]);
      const others = Object.keys(made).filter((other) => other !== status);
      expect(await idsOf({ ruleId, status: others.join(',') })).toEqual([]);
    }
  });

  // shows: calls.list
  test('calls of a batch are listed, by its id, rule and gateway too', async () => {
    const call = await aCall();
    const batchId = `batch_${call.uuid}`;
    await rowsOf(
      `insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status, timing,
       timezone, starts_at)
     select $2, account_id, 'Batch', 'num_x', from_number, rule_id, gateway_id, agent_id, 'running', 'immediate', 'UTC', now()
     from calls where id = $1`,
      [call.uuid, batchId],
    );
    await rowsOf('update calls set batch_id = $2 where id = $1', [call.uuid, batchId]);
    await rowsOf('insert into batch_counters (batch_id, pending) values ($1, 1)', [batchId]);
    for (const query of [{ batchId }, { ruleId: call.ruleId }, { gatewayId: call.gatewayId }]) {
      expect(await idsOf(query)).toEqual([call.id]);
    }
  });

  test('another account’s calls are not found by anything', async () => {
    const { token } = await anAccount();
    const call = await aCall();
    const [{ agentId = '' } = {}] = (await list({ id: call.id })).data;
    for (const query of [
      { id: call.id },
      { agentId },
      { search: aNumber().slice(0, 4) },
      { ruleId: call.ruleId },
      { roomId: call.roomId },
    ]) {
      expect((await list(query, { token })).pageInfo.total).toBe(0);
    }
  });
});

describe('400', () => {
  test.each([
    ['page=0', 'page'],
    ['perPage=101', 'perPage'],
    ['status=settled', 'status'],
    ['type=sideways', 'type'],
    ['startDate=yesterday', 'startDate'],
    ['endDate=-1', 'endDate'],
  ])('%s is refused, naming the parameter', async (query, parameter) => {
    const response = await api.get(`/v2/sip/call?${query}`);
    expect(response.status).toBe(400);
    expect((response.body as { errors: string[] }).errors[0]).toMatch(new RegExp(`^${parameter}`));
  });
});
