import { describe, expect, test } from 'vitest';
import { api } from '../../support.js';
import { aGateway, aRegisteredNumber } from '../../support-resources.js';
import { directions, pathOf } from '../support.js';

describe.each(directions)('%s', (direction) => {
  // shows: gateway.inbound, gateway.outbound
  test('a gateway is answered bare, as it was when it was made', async () => {
    const gateway = await aGateway(direction, { auth: { username: 'me', password: 'correct horse' } });
    const response = await api.get(pathOf(direction, gateway.id));
    expect(response.status).toBe(200);
    expect(response.body).toEqual(gateway);
    expect(response.text).not.toContain('correct horse');
  });

  test('a gateway that was made with its number is found here too', async () => {
    const { e164, ...number } = await aRegisteredNumber();
    const id = number[`${direction}GatewayId`];
    expect((await api.get(pathOf(direction, id))).body).toMatchObject({ id, numbers: [e164] });
  });
});
