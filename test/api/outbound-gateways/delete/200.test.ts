import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aGateway, aNumber, rowsOf } from '../../support-resources.js';

// shows: gateway.outbound
test('a deleted gateway is gone, its numbers stay on the account and can have another', async () => {
  const number = aNumber();
  const { id } = await aGateway('outbound', { numbers: [number] });

  const response = await api.delete(`/v2/sip/outbound-gateways/${id}`);

  expect(response.status).toBe(200);
  expect(response.body).toEqual({ message: expect.any(String) });
  expect((await api.get(`/v2/sip/outbound-gateways/${id}`)).status).toBe(404);
  expect((await api.get(`/v2/sip/phone-numbers/${number}`)).body).toMatchObject({ outbound: null });
  expect(await rowsOf('select 1 from gateway_admission where gateway_id = $1', [id])).toEqual([]);
  expect(await aGateway('outbound', { numbers: [number] })).toMatchObject({ numbers: [number] });
});
