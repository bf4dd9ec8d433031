import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support-resources.js';
import { createLogger } from '../../../platform/logger.js';
import { anAccount, anotherApp, api, here } from '../support.js';
import { aCallThatIs } from './support.js';

describe('200', () => {
  const end = (callId: string) => api.post('/v2/sip/call/end', { callId });

  // shows: calls.end
  test.each(['queued', 'claimed'] as const)(
    'a call that is %s is abandoned at once and leaves the queue',
    async (phase) => {
      const { id, uuid } = await aCallThatIs(phase);
      const response = await end(id);
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({
        message: expect.any(String),
        data: { id, status: 'abandoned', timelog: [{ status: 'initiated' }, { status: 'abandoned' }] },
      });
      expect(
        await rowsOf('select phase, outcome, reason, reported_at from call_attempts where call_id = $1', [uuid]),
      ).toEqual([{ phase: 'ended', outcome: 'abandoned', reason: 'ended_by_api', reported_at: null }]);
      expect(await rowsOf('select action from audit_log where target = $1 order by id desc limit 1', [id])).toEqual([
        { action: 'call.end' },
      ]);
    },
  );

  // shows: calls.end
  test.each(['ringing', 'answered'] as const)(
    'a call that is %s is ordered to be hung up, also when asked twice',
    async (status) => {
      const { id, uuid } = await aCallThatIs(status);
      expect(await end(id)).toMatchObject({ status: 200, body: { data: { id, status } } });
      const orders = () =>
        rowsOf<{ hang_up_at: Date }>('select hang_up_at, hang_up_reason from call_attempts where call_id = $1', [uuid]);
      const [first] = await orders();
      expect(first).toEqual({ hang_up_at: expect.any(Date), hang_up_reason: 'ended_by_api' });
      expect((await end(id)).status).toBe(200);
      expect(await orders()).toEqual([first]);
    },
  );

  test('a call that is ended before it is dialed has one line in the log, with its ids; a live one gets its line from the dialer', async () => {
    const lines: { callId?: string; msg: string }[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
    const app = await anotherApp({ logger: createLogger('api', 'info', { write }) });
    const [waiting, live] = [await aCallThatIs('queued'), await aCallThatIs('ringing')];
    for (const { id } of [waiting, waiting, live]) await api.post('/v2/sip/call/end', { callId: id }, { app });
    const accountId = here().me.account.id;
    expect(lines.filter(({ msg }) => msg === 'a call ended without being dialed')).toMatchObject([
      { level: 'info', role: 'api', accountId, callId: waiting.id, reason: 'ended_by_api' },
    ]);
  });

  test('of two ends of a waiting call at once, one ends it', async () => {
    const { id, uuid } = await aCallThatIs('queued');
    const answers = await Promise.all([end(id), end(id), end(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await rowsOf('select 1 from call_attempts where call_id = $1', [uuid])).toHaveLength(1);
  });
});

describe('400', () => {
  test.each([
    [{}, 'callId'],
    [{ callId: 7 }, 'callId'],
    [{ callId: 'call_x', now: true }, 'now'],
  ])('%j is refused, naming the field', async (body, field) => {
    const response = await api.post('/v2/sip/call/end', body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [expect.stringMatching(new RegExp(`^${field}: `))] });
  });
});

describe('404', () => {
  test('an unknown call and one of another account are not found, in the same words, and theirs goes on', async () => {
    const { id, uuid } = await aCallThatIs('answered');
    const { token } = await anAccount();
    const answers = await Promise.all([
      api.post('/v2/sip/call/end', { callId: id }, { token }),
      api.post('/v2/sip/call/end', { callId: 'call_00000000-0000-7000-8000-000000000000' }),
      api.post('/v2/sip/call/end', { callId: 'nonsense' }),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: 'Call not found' });
    }
    expect(await rowsOf('select hang_up_at from call_attempts where call_id = $1', [uuid])).toEqual([
      { hang_up_at: null },
    ]);
  });
});

describe('409', () => {
  // shows: calls.end.409
  test('a call that is over cannot be ended', async () => {
    const { id } = await aCallThatIs('ended');
    const response = await api.post('/v2/sip/call/end', { callId: id });
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: 'The call is over' });
  });
});
