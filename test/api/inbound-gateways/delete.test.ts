import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { aGateway, aNumber, rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';

describe('200', () => {
  // shows: gateway.inbound
  test('a deleted gateway is gone, its numbers stay on the account and can have another', async () => {
    const number = aNumber();
    const { id } = await aGateway('inbound', { numbers: [number] });

    const response = await api.delete(`/v2/sip/inbound-gateways/${id}`);

    expect(response.status).toBe(200);
    expect(response.body).toEqual({ message: expect.any(String) });
    expect((await api.get(`/v2/sip/inbound-gateways/${id}`)).status).toBe(404);
    expect((await api.get(`/v2/sip/phone-numbers/${number}`)).body).toMatchObject({ inbound: null });
    expect(await rowsOf('select 1 from gateway_admission where gateway_id = $1', [id])).toEqual([]);
    expect(await aGateway('inbound', { numbers: [number] })).toMatchObject({ numbers: [number] });
  });
});

describe('409', () => {
  test('a gateway stays while a call that came in by it is not over', async () => {
    const number = aNumber();
    const { id } = await aGateway('inbound', { numbers: [number] });
    const callId = v7();
    await rowsOf(
      `insert into calls (id, account_id, type, to_number, from_number, rule_id, gateway_id, status)
     values ($1, $2, 'inbound', $3, $4, 'rule_none', $5, 'in-progress')`,
      [callId, here().me.account.id, number, aNumber(), id],
    );
    const response = await api.delete(`/v2/sip/inbound-gateways/${id}`);
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringContaining('not over') });

    await rowsOf(`update calls set status = 'answered' where id = $1`, [callId]);
    expect((await api.delete(`/v2/sip/inbound-gateways/${id}`)).status).toBe(200);
  });
});
