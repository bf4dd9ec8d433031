import { describe, expect, test } from 'vitest';
import { aGateway, aRegisteredNumber } from '../support-resources.js';
import { api } from '../support.js';
import { directions, findsNoneOf, pathOf } from './support.js';

describe('200', () => {
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
});

describe('404', () => {
  test.each(directions)(
    'an unknown %s gateway, one of another account and one of the other direction get the same answer, and stay',
    (direction) => findsNoneOf(direction, (path) => api.get(path)),
  );
});
