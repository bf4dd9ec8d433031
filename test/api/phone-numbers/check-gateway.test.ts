import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AppDeps } from '../../../api/operation.js';
import type { TrunkEnd } from '../../../domain/phone/trunk-end.js';
import { aRegisteredNumber } from '../support-resources.js';
import { anAccount, anotherApp, api, here } from '../support.js';

describe('200', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const checked = async (gatewayId: string, checkGateway?: AppDeps['telephony']['checkGateway']) => {
    const app = checkGateway === undefined ? undefined : await anotherApp({ telephony: { checkGateway } });
    return api.post(`/v2/sip/phone-numbers/gateways/${gatewayId}/check`, undefined, app === undefined ? {} : { app });
  };

  // shows: gateway.check
  test('the finding of the carrier’s driver is the answer', async () => {
    const { outboundGatewayId } = await aRegisteredNumber();
    const response = await checked(outboundGatewayId);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ reachable: true, statusCode: 200, milliseconds: 12, message: 'It answers.' });
  });

  test('the driver is asked about the gateway as it is, with the password opened', async () => {
    const auth = { username: 'me', password: 'correct horse' };
    const { outboundGatewayId } = await aRegisteredNumber({ outbound: { address: 'sip.carrier.example:5070', auth } });
    const asked: TrunkEnd[] = [];
    await checked(outboundGatewayId, (gateway) => {
      asked.push(gateway);
      return Promise.resolve({ reachable: false, message: 'no' });
    });
    expect(asked).toEqual([
      {
        id: outboundGatewayId,
        address: 'sip.carrier.example:5070',
        transport: 'tls',
        auth,
        mediaEncryption: 'disable',
        region: 'auto',
        headers: {},
        numberFormat: 'e164',
      },
    ]);
  });

  test('if there is no status and no time there are no such fields', async () => {
    const { outboundGatewayId } = await aRegisteredNumber();
    const response = await checked(outboundGatewayId, () => Promise.resolve({ reachable: false, message: 'Silence.' }));
    expect(response.body).toEqual({ reachable: false, message: 'Silence.' });
  });

  // shows: gateway.check
  test('a carrier that cannot be asked is said, without what went wrong inside', async () => {
    const { outboundGatewayId } = await aRegisteredNumber();
    const response = await checked(outboundGatewayId, () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.9')));
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ reachable: false, message: expect.stringContaining('cannot be reached now') });
    expect(response.text).not.toContain('10.0.0.9');
  });

  test('an inbound gateway without an address cannot be asked', async () => {
    const { inboundGatewayId } = await aRegisteredNumber();
    expect((await checked(inboundGatewayId)).body).toEqual({
      reachable: false,
      message: expect.stringContaining('no address'),
    });
  });

  test('a gateway whose password cannot be read says so, and the list of the gateways is there', async () => {
    const { outboundGatewayId } = await aRegisteredNumber();
    await here().database.pool.query(
      "update gateways set auth_username = 'trunk', auth_password_sealed = 'v2.lost.AAAA' where id = $1",
      [outboundGatewayId],
    );
    expect((await checked(outboundGatewayId)).body).toEqual({
      reachable: false,
      message: expect.stringContaining('The password of the gateway cannot be read'),
    });
    expect((await api.get(`/v2/sip/outbound-gateways/${outboundGatewayId}`)).status).toBe(200);
  });

  test('a gateway that never answers is answered for within 10 seconds', async () => {
    const { outboundGatewayId } = await aRegisteredNumber();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let wasAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      wasAsked = resolve;
    });
    const waiting = checked(outboundGatewayId, () => {
      wasAsked();
      return new Promise(() => undefined);
    });
    await asked;
    await vi.advanceTimersByTimeAsync(10_000);
    const response = await waiting;
    expect(response.body).toEqual({ reachable: false, message: expect.stringContaining('10 seconds') });
  });
});

describe('404', () => {
  test('an unknown gateway and one of another account get the same answer, and nothing is sent', async () => {
    const other = await anAccount();
    const theirs = await aRegisteredNumber({}, { token: other.token });
    const app = await anotherApp({ telephony: { checkGateway: () => Promise.reject(new Error('was asked')) } });
    for (const id of [theirs.outboundGatewayId, 'gwo_0']) {
      const response = await api.post(`/v2/sip/phone-numbers/gateways/${id}/check`, undefined, { app });
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ message: 'Gateway not found' });
    }
  });
});
