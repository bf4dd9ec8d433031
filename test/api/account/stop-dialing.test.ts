import { afterEach, describe, expect, test } from 'vitest';
import { aBatch, aRoute } from '../batch-calls/support.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

describe('200', () => {
  const stop = '/v1/account/stop-dialing';

  afterEach(() => api.post('/v1/account/resume-dialing'));

  test('says since when dialing is stopped, and the same when asked again', async () => {
    const first = await api.post(stop);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ dialingStopped: true, dialingStoppedAt: expect.any(String) });
    expect((await api.post(stop)).body).toEqual(first.body);
    expect((await api.get('/v1/account/guardrails')).body).toMatchObject(first.body as object);
  });

  // shows: guardrails.stop
  test('a running batch shows why nothing is dialed, and keeps its status', async () => {
    const { batchId } = await aBatch({ status: 'running', counts: { pending: 3 } });
    await api.post(stop);
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
      status: 'running',
      paused: true,
      pausedReason: 'dialing_stopped',
    });
  });

  // shows: guardrails.stop
  test('no single call is taken meanwhile', async () => {
    const { phoneNumber: sipCallFrom } = await aRoute();
    await api.post(stop);
    const call = await api.post('/v2/sip/call', { sipCallTo: '+919876543210', sipCallFrom });
    expect(call.status).toBe(403);
    expect(call.body).toEqual({ message: expect.any(String) });
  });

  test('live calls are hung up only if that is asked for', async () => {
    const { phoneNumber: sipCallFrom } = await aRoute();
    const call = await api.post('/v2/sip/call', { sipCallTo: '+919876543210', sipCallFrom });
    const id = (call.body as { data: { id: string } }).data.id.slice('call_'.length);
    await rowsOf(
      `update call_attempts set phase = 'answered', claimed_by = gen_random_uuid(), invite = 1, room = 'room'
     where call_id = $1`,
      [id],
    );
    const hangUp = () => rowsOf('select hang_up_reason from call_attempts where call_id = $1', [id]);
    await api.post(stop);
    expect(await hangUp()).toEqual([{ hang_up_reason: null }]);
    await api.post(stop, { hangUp: true });
    expect(await hangUp()).toEqual([{ hang_up_reason: 'ended_by_api' }]);
  });

  test('other accounts go on', async () => {
    const other = await anAccount();
    await api.post(stop);
    expect((await api.get('/v1/account/guardrails', { token: other.token })).body).toMatchObject({
      dialingStopped: false,
    });
  });

  // shows: guardrails.stop
  test('it is in the audit log', async () => {
    await api.post(stop, { hangUp: true });
    const log = await rowsOf(
      `select details from audit_log where account_id = $1 and action = 'account.stop-dialing' order by id desc limit 1`,
      [here().me.account.id],
    );
    expect(log).toEqual([{ details: { hangUp: true } }]);
  });
});

describe('400', () => {
  test('an order that is not understood stops nothing', async () => {
    const response = await api.post('/v1/account/stop-dialing', { hangup: true });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: ['hangup: is not a known field'] });
    expect((await api.get('/v1/account/guardrails')).body).toMatchObject({ dialingStopped: false });
  });
});
