import { describe, expect, test } from 'vitest';
import { aCallingNumber, aNumber, rowsOf } from '../support-resources.js';
import { readTranscripts } from '../../../db/queries/calls/transcript-words.js';
import { anAccount, api, here } from '../support.js';
import { aCall, aCallThatIs, aRecordingOf } from './support.js';

describe('200', () => {
  interface Page {
    readonly pageInfo: { currentPage: number; perPage: number; lastPage: number; total: number };
    readonly data: {
      id: string;
      status: string;
      agentId?: string;
      batchName?: string;
      timelog: { status: string; timestamp: string }[];
    }[];
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
    const [found] = (await list({ id: call.id })).data;
    const shown = Date.parse(found!.timelog[0]!.timestamp);
    expect(await idsOf({ ruleId: call.ruleId, startDate: shown, endDate: shown })).toEqual([call.id]);
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
  test('calls of a batch are listed with its name, by its id, rule and gateway too', async () => {
    const call = await aCall();
    const batchId = `batch_${call.uuid}`;
    await rowsOf(
      `insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status, timing,
       timezone, starts_at)
     select $2, account_id, 'March reminders', 'num_x', from_number, rule_id, gateway_id, agent_id, 'running', 'immediate', 'UTC', now()
     from calls where id = $1`,
      [call.uuid, batchId],
    );
    await rowsOf('update calls set batch_id = $2 where id = $1', [call.uuid, batchId]);
    await rowsOf('insert into batch_counters (batch_id, pending) values ($1, 1)', [batchId]);
    for (const query of [{ batchId }, { ruleId: call.ruleId }, { gatewayId: call.gatewayId }]) {
      expect((await list(query)).data).toMatchObject([{ id: call.id, batchId, batchName: 'March reminders' }]);
    }
    const { body } = await api.get(`/v2/sip/call/${call.id}`);
    expect(body).toMatchObject({ data: { batchId, batchName: 'March reminders' } });
  });

  test('a call of no batch, and one whose batch was deleted, has no name of a batch', async () => {
    const single = await aCall();
    const left = await aCall();
    const batchId = `batch_${left.uuid}`;
    await rowsOf('update calls set batch_id = $2 where id = $1', [left.uuid, batchId]);
    const { data } = await list({ id: `${single.id},${left.id}` });
    expect(data).toMatchObject([{ id: left.id, batchId }, { id: single.id }]);
    for (const call of data) expect(call).not.toHaveProperty('batchName');
  });

  // shows: calls.list
  test('calls are found by how long they talked, ends of the range included, and by whether they have a recording', async () => {
    const { e164 } = await aCallingNumber();
    const made: { id: string; uuid: string }[] = [];
    for (const seconds of [0, 29.9, 30, 119.5, 4_000]) {
      const call = await aCall({ sipCallFrom: e164 });
      await rowsOf(`update calls set status = 'answered', talk_seconds = $2 where id = $1`, [call.uuid, seconds]);
      made.unshift(call);
    }
    const open = await aCall({ sipCallFrom: e164 });
    const [hours, twoMinutes, half, almost, none] = made.map(({ id }) => id);
    await aRecordingOf(made[1]!, ['sound']);
    await aRecordingOf(made[3]!, ['sound']);
    const all = { startDate: 0, perPage: 100 };
    const ours = async (query: Record<string, string | number>): Promise<string[]> =>
      (await idsOf({ ...all, ...query })).filter((id) => id === open.id || made.some((call) => call.id === id));
    for (const narrowed of [{}, { search: e164 }]) {
      expect(await ours({ ...narrowed, duration: '30-120' })).toEqual([twoMinutes, half]);
      expect(await ours({ ...narrowed, duration: '30-' })).toEqual([hours, twoMinutes, half]);
      expect(await ours({ ...narrowed, duration: '-29.9' })).toEqual([almost, none]);
      expect(await ours({ ...narrowed, duration: '29.95-29.99' })).toEqual([]);
      expect(await ours({ ...narrowed, hasRecording: 'true' })).toEqual([twoMinutes, almost]);
      expect(await ours({ ...narrowed, hasRecording: 'true', duration: '60-', status: 'ended' })).toEqual([twoMinutes]);
      expect(await ours({ ...narrowed, hasRecording: 'false' })).toEqual([open.id, hours, half, none]);
      expect(await ours({ ...narrowed, duration: '' })).toHaveLength(6);
    }
    expect(await ours({ duration: '30-', status: 'missed' })).toEqual([]);
  });

  test('a recording that is deleted is found no more, and a call that is dialed again has no talk time until it is over', async () => {
    const call = await aCall();
    await aRecordingOf(call, ['sound']);
    await rowsOf(`update calls set status = 'answered', talk_seconds = 5 where id = $1`, [call.uuid]);
    expect(await idsOf({ id: call.id, hasRecording: 'true', duration: '5-5' })).toEqual([call.id]);
    await rowsOf('update calls set purged_at = now() where id = $1', [call.uuid]);
    expect(await idsOf({ id: call.id, hasRecording: 'true' })).toEqual([]);
    expect(await idsOf({ id: call.id, hasRecording: 'false' })).toEqual([call.id]);
    await rowsOf(`update calls set status = 'retrying' where id = $1`, [call.uuid]);
    expect(await idsOf({ id: call.id, duration: '0-' })).toEqual([]);
  });

  // shows: calls.list
  test('calls are found by words that were said in them, and by nothing of another account', async () => {
    const call = await aCall();
    await rowsOf(
      `update calls set status = 'answered', transcript = '[{"speaker":"callee","text":"Please call me back on Monday"}]' where id = $1`,
      [call.uuid],
    );
    while (await readTranscripts(here().database.db));
    for (const transcript of ['monday please', '"call me back"', 'tuesday or monday', 'monday -tuesday']) {
      expect(await idsOf({ transcript })).toEqual([call.id]);
      expect(await idsOf({ transcript, cursor: '' })).toEqual([call.id]);
    }
    expect(await idsOf({ transcript: 'monday', duration: '1-' })).toEqual([]);
    expect(await idsOf({ transcript: 'monday -please' })).toEqual([]);
    expect(await list({ transcript: 'monday' })).not.toHaveProperty('searchedFrom');
    const { token } = await anAccount();
    expect((await list({ transcript: 'monday' }, { token })).pageInfo.total).toBe(0);
  });

  test('another account’s calls are not found by anything', async () => {
    const { token } = await anAccount();
    const call = await aCall();
    await aRecordingOf(call, ['sound']);
    await rowsOf(`update calls set status = 'answered', talk_seconds = 40 where id = $1`, [call.uuid]);
    const [{ agentId = '' } = {}] = (await list({ id: call.id })).data;
    for (const query of [
      { id: call.id },
      { hasRecording: 'true' },
      { hasRecording: 'false' },
      { duration: '0-' },
      { agentId, duration: '0-' },
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
    ['hasRecording=yes', 'hasRecording'],
    ['duration=long', 'duration'],
    ['transcript=%22-%22', 'transcript'],
    [`transcript=${'a'.repeat(257)}`, 'transcript'],
    ['duration=120-30', 'duration'],
    ['duration=30&duration=60', 'duration'],
  ])('%s is refused, naming the parameter', async (query, parameter) => {
    const response = await api.get(`/v2/sip/call?${query}`);
    expect(response.status).toBe(400);
    expect((response.body as { errors: string[] }).errors[0]).toMatch(new RegExp(`^${parameter}`));
  });
});
