import { describe, expect, test } from 'vitest';
import { aNumber, rowsOf } from '../../support-resources.js';
import { anAccount, api, here } from '../../support.js';
import { aCallThatIs } from '../support.js';

const transfer = (callId: string, transferTo: string) => api.post('/v2/sip/call/transfer', { callId, transferTo });

describe('200', () => {
  // shows: calls.transfer
  test.each([
    '+912250000009',
    'sip:desk@pbx.example.com:5060',
    'sips:+912250000009@pbx.example.com',
    'tel:+912250000009',
  ])('an answered call is ordered to be transferred to %s, and says so while its status stays', async (transferTo) => {
    const { id, uuid } = await aCallThatIs('answered');
    const response = await transfer(id, transferTo);
    expect(response.status).toBe(200);
    const { data } = response.body as { data: { status: string; timelog: { status: string }[] } };
    expect(data.status).toBe('answered');
    expect(data.timelog.at(-1)?.status).toBe('transfer-initiated');
    expect(await rowsOf('select number, transfer_to, status from call_transfers where call_id = $1', [uuid])).toEqual([
      { number: 1, transfer_to: transferTo, status: 'requested' },
    ]);
    const [entry] = await rowsOf('select action, details from audit_log where target = $1 order by id desc', [id]);
    expect(entry).toEqual({ action: 'call.transfer', details: { transferTo } });
  });

  // shows: calls.transfer
  test('GET tells how it went', async () => {
    const { id, uuid } = await aCallThatIs('answered');
    await transfer(id, '+912250000009');
    await rowsOf(`update call_transfers set status = 'failed', ended_at = now() where call_id = $1`, [uuid]);
    const { body } = await api.get(`/v2/sip/call/${id}`);
    const { data } = body as { data: { status: string; timelog: { status: string }[] } };
    expect(data.timelog.map(({ status }) => status).slice(-2)).toEqual(['transfer-initiated', 'transfer-failed']);
    expect(data.status).toBe('answered');
    expect((await transfer(id, '+912250000009')).status).toBe(200);
  });
});

describe('mode: warm', () => {
  const warm = (callId: string, transferTo = '+912250000009') =>
    api.post('/v2/sip/call/transfer', { callId, transferTo, mode: 'warm' });
  async function aSimulatedCall() {
    const call = await aCallThatIs('answered');
    await rowsOf('update calls set simulated = true where id = $1', [call.uuid]);
    return call;
  }

  // shows: calls.transfer.warm
  test.each(['+912250000009', 'tel:+912250000009'])('orders one for the dialer, to %s', async (transferTo) => {
    const { id, uuid } = await aSimulatedCall();
    const response = await warm(id, transferTo);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ data: { status: 'answered' } });
    expect(await rowsOf('select mode, transfer_to, status from call_transfers where call_id = $1', [uuid])).toEqual([
      { mode: 'warm', transfer_to: transferTo, status: 'wanted' },
    ]);
    const [entry] = await rowsOf('select details from audit_log where target = $1 order by id desc', [id]);
    expect(entry).toEqual({ details: { transferTo, mode: 'warm' } });
    expect((await warm(id)).body).toEqual({ message: 'The call is being transferred already' });
    expect((await transfer(id, transferTo)).status).toBe(409);
  });

  // shows: calls.transfer.warm
  test('GET says which transfers there were, and why one has failed', async () => {
    const { id, uuid } = await aSimulatedCall();
    expect((await api.get(`/v2/sip/call/${id}`)).body).not.toHaveProperty('data.transfers');
    await warm(id);
    const transfers = async () =>
      ((await api.get(`/v2/sip/call/${id}`)).body as { data: { transfers: object[] } }).data.transfers;
    const asked = { mode: 'warm', to: '+912250000009', requestedAt: expect.any(String) };
    expect(await transfers()).toEqual([{ ...asked, status: 'under-way' }]);
    await rowsOf(
      `update call_transfers set status = 'failed', ended_at = now(), sip_status_code = 486, message = 'Busy Here'
      where call_id = $1`,
      [uuid],
    );
    expect(await transfers()).toEqual([
      { ...asked, status: 'failed', sipStatusCode: 486, message: 'Busy Here', endedAt: expect.any(String) },
    ]);
  });

  test('a call that was handed over is not transferred again', async () => {
    const { id, uuid } = await aSimulatedCall();
    await warm(id);
    await rowsOf(`update call_transfers set status = 'transferred', ended_at = now() where call_id = $1`, [uuid]);
    for (const response of [await warm(id), await transfer(id, '+912250000009')]) {
      expect(response).toMatchObject({ status: 409, body: { message: 'The call has been handed over already' } });
    }
  });

  test.each(['sip:desk@pbx.example.com', 'sips:+912250000009@pbx.example.com'])(
    '%s cannot be called over a gateway: 400',
    async (transferTo) => {
      const { id } = await aSimulatedCall();
      const response = await warm(id, transferTo);
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ errors: [expect.stringMatching(/^transferTo: .*warm/)] });
    },
  );

  test('a mode that there is not is 400', async () => {
    const body = { callId: 'call_00000000-0000-7000-8000-000000000000', transferTo: '+912250000009', mode: 'hot' };
    expect(await api.post('/v2/sip/call/transfer', body)).toMatchObject({
      status: 400,
      body: { errors: [expect.stringMatching(/^mode: /)] },
    });
  });

  /** The number of the account is the one that was called. */
  async function aCallThatCameIn() {
    const call = await aSimulatedCall();
    const gateway = `(select l.gateway_id from number_gateways l where l.e164 = $2 and l.direction = 'inbound')`;
    await rowsOf(
      `update calls set type = 'inbound', from_number = to_number, to_number = from_number, gateway_id = ${gateway}
      where id = $1`,
      [call.uuid, call.from],
    );
    await rowsOf(`update call_attempts set gateway_id = ${gateway} where call_id = $1`, [call.uuid, call.from]);
    return call;
  }
  const orderedFor = (uuid: string) =>
    rowsOf('select gateway_id as "gatewayId", status from call_transfers where call_id = $1', [uuid]);

  // shows: calls.transfer.inbound
  test('of a call that came in orders one by the outbound gateway of the number that was called', async () => {
    const { id, uuid, from } = await aCallThatCameIn();
    const [{ gatewayId } = { gatewayId: '' }] = await rowsOf<{ gatewayId: string }>(
      `select gateway_id as "gatewayId" from number_gateways where e164 = $1 and direction = 'outbound'`,
      [from],
    );
    expect((await warm(id)).status).toBe(200);
    expect(await orderedFor(uuid)).toEqual([{ gatewayId, status: 'wanted' }]);
    const [entry] = await rowsOf('select action, details from audit_log where target = $1 order by id desc', [id]);
    expect(entry).toEqual({ action: 'call.transfer', details: { transferTo: '+912250000009', mode: 'warm' } });
    expect((await api.get(`/v2/sip/call/${id}`)).body).toMatchObject({
      data: { type: 'inbound', transfers: [{ mode: 'warm', status: 'under-way' }] },
    });
    // It is needed until the transfer is over.
    const removed = () => api.delete(`/v2/sip/outbound-gateways/${gatewayId}`);
    expect(await removed()).toMatchObject({ status: 409, body: { message: expect.stringContaining('not over') } });
    await rowsOf(`update call_transfers set status = 'failed', ended_at = now() where call_id = $1`, [uuid]);
    expect((await removed()).status).toBe(200);
  });

  test('of a call that came in on a number without an outbound gateway is 409 and says how to mend it', async () => {
    const { id, uuid, from } = await aCallThatCameIn();
    await rowsOf(`delete from number_gateways where e164 = $1 and direction = 'outbound'`, [from]);
    expect(await warm(id)).toMatchObject({
      status: 409,
      body: {
        message: expect.stringMatching(new RegExp(`attached to \\${from}.*PATCH /v2/sip/outbound-gateways.*cold`)),
      },
    });
    expect(await orderedFor(uuid)).toEqual([]);
    expect((await transfer(id, '+912250000009')).status).toBe(200);
  });

  test('of a call that came in and that no agent has answered is 409', async () => {
    const { id, uuid } = await aCallThatCameIn();
    await rowsOf('update calls set agent_id = null where id = $1', [uuid]);
    expect(await warm(id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('No agent') } });
    expect(await orderedFor(uuid)).toEqual([]);
  });

  test('of a call of another account that came in is 404', async () => {
    const { id, uuid } = await aCallThatCameIn();
    const { token } = await anAccount();
    const body = { callId: id, transferTo: '+912250000009', mode: 'warm' };
    expect((await api.post('/v2/sip/call/transfer', body, { token })).status).toBe(404);
    expect(await orderedFor(uuid)).toEqual([]);
  });

  test('what forbids a cold transfer forbids a warm one: 403', async () => {
    const { id, uuid } = await aSimulatedCall();
    expect((await warm(id, '+19002345678')).status).toBe(403);
    const listed = aNumber();
    await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [here().me.account.id, listed]);
    expect((await warm(id, listed)).status).toBe(403);
    await api.post('/v1/account/stop-dialing');
    const stopped = await warm(id);
    await api.post('/v1/account/resume-dialing');
    expect(stopped.status).toBe(403);
    expect(await rowsOf('select 1 from call_transfers where call_id = $1', [uuid])).toEqual([]);
  });
});
