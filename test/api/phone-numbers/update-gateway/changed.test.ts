import { describe, expect, test } from 'vitest';
import { secretPlaces } from '../../../../domain/account/secret-places.js';
import { aRegisteredNumber, rowsOf } from '../../support-resources.js';
import { api, here } from '../../support.js';

describe('200', () => {
  interface Changed {
    readonly message: string;
    readonly data: Record<string, unknown> & { readonly id: string };
  }

  const patch = async (gatewayId: string, body: object): Promise<Changed['data']> => {
    const response = await api.patch(`/v2/sip/phone-numbers/gateways/${gatewayId}`, body);
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    expect(response.body).toEqual({ message: expect.any(String), data: expect.any(Object) });
    return (response.body as Changed).data;
  };

  const auth = { username: 'me', password: 'correct horse' };

  const sealedOf = async (id: string) =>
    (
      await rowsOf<{ auth_password_sealed: string | null }>('select auth_password_sealed from gateways where id = $1', [
        id,
      ])
    )[0]?.auth_password_sealed ?? null;

  // shows: gateway.patch
  test('every field of an outbound gateway can be changed, and comes back as sent', async () => {
    const { outboundGatewayId, e164 } = await aRegisteredNumber();
    const change = {
      name: 'Renamed',
      sipRegion: 'default',
      address: 'new.carrier.example:5080',
      transport: 'udp',
      mediaEncryption: 'enable',
      maxConcurrentCalls: 7,
      callsPerSecond: 2.5,
      ringTimeoutSeconds: 20,
      fromHost: 'pbx.example.com',
      headers: { 'P-Asserted-Identity': '<sip:+14155550100@example.com>', 'X-Tenant': 'north' },
      numberFormat: 'national',
      maxCallSeconds: 600,
      allowedNumbers: ['+1*'],
      noiseCancellation: true,
      enableDtmf: true,
      metadata: { nothing: null },
      tags: ['a'],
    };
    const data = await patch(outboundGatewayId, { ...change, auth });
    expect(data).toMatchObject({ ...change, geoRegion: 'default', auth: { username: 'me' }, numbers: [e164] });
    expect(JSON.stringify(data)).not.toContain(auth.password);
    const place = secretPlaces.gatewayPassword(here().me.account.id, outboundGatewayId);
    expect(here().deps.secretBox.open((await sealedOf(outboundGatewayId))!, place)).toBe(auth.password);
    expect((await api.get(`/v2/sip/phone-numbers/${e164}`)).body).toMatchObject({ outbound: data });
  });

  // shows: gateway.limits
  test.each([
    ['maxConcurrentCalls', 1, 10_000],
    ['callsPerSecond', 0.1, 200],
    ['ringTimeoutSeconds', 15, 75],
    ['maxCallSeconds', 1, 86_400],
  ])('%s may be anything from %d to %d', async (field, least, most) => {
    const { outboundGatewayId } = await aRegisteredNumber();
    for (const value of [least, most])
      expect(await patch(outboundGatewayId, { [field]: value })).toMatchObject({ [field]: value });
  });

  test('null takes a field back to its default, or removes it', async () => {
    const { outboundGatewayId } = await aRegisteredNumber();
    const before = await patch(outboundGatewayId, {});
    await patch(outboundGatewayId, {
      auth,
      callsPerSecond: 9,
      fromHost: 'a.example',
      headers: { 'X-A': 'b' },
      transport: 'tcp',
      maxConcurrentCalls: 3,
      metadata: { a: 1 },
      tags: ['t'],
      numberFormat: 'national',
    });
    const cleared = await patch(outboundGatewayId, {
      auth: null,
      callsPerSecond: null,
      fromHost: null,
      headers: null,
      transport: null,
      maxConcurrentCalls: null,
      metadata: null,
      tags: null,
      numberFormat: null,
    });
    expect(cleared).toEqual({ ...before, updatedAt: expect.any(String) });
    expect(await sealedOf(outboundGatewayId)).toBeNull();
  });

  // shows: everywhere.read-only
  test.each(['inbound', 'outbound'] as const)(
    'an %s gateway sent back with one field changed is accepted',
    async (side) => {
      const number = await aRegisteredNumber({ outbound: { address: 'sip.carrier.example', auth } });
      const { body } = await api.get(`/v2/sip/phone-numbers/${number.e164}`);
      const gateway = (body as Record<typeof side, { id: string }>)[side];
      const sealed = await sealedOf(gateway.id);

      expect(await patch(gateway.id, { ...gateway, name: 'Changed' })).toEqual({
        ...gateway,
        name: 'Changed',
        updatedAt: expect.any(String),
      });
      expect(await patch(gateway.id, { ...gateway, geoRegion: 'default' })).toMatchObject({
        sipRegion: 'default',
        geoRegion: 'default',
      });
      expect(await sealedOf(gateway.id)).toBe(sealed);
    },
  );

  test('an inbound gateway takes what belongs to calls that come in', async () => {
    const { inboundGatewayId } = await aRegisteredNumber();
    const change = {
      allowedAddresses: ['198.51.100.7', '2001:db8::/32'],
      allowedNumbers: ['+44*'],
      address: 'a.example',
    };
    expect(await patch(inboundGatewayId, change)).toMatchObject(change);
    const cleared = await patch(inboundGatewayId, { allowedAddresses: null, address: null });
    expect(cleared).toMatchObject({ allowedAddresses: [] });
    expect(cleared).not.toHaveProperty('address');
  });

  test('a suspended gateway is tried at once after a change, and the dialers are told', async () => {
    const { outboundGatewayId } = await aRegisteredNumber();
    await rowsOf(
      `update gateway_admission set suspended_since = now(), probe_at = now() + interval '10 minutes',
       next_claim_at = 'infinity' where gateway_id = $1`,
      [outboundGatewayId],
    );
    await patch(outboundGatewayId, { auth });
    const [state] = await rowsOf<{ due: boolean }>(
      'select probe_at <= now() and next_claim_at <= now() as due from gateway_admission where gateway_id = $1',
      [outboundGatewayId],
    );
    expect(state).toEqual({ due: true });
  });

  test('the audit log says which fields were changed, and no secret', async () => {
    const { outboundGatewayId } = await aRegisteredNumber();
    await patch(outboundGatewayId, { auth });
    const [entry] = await rowsOf<{ details: unknown }>('select details from audit_log where target = $1', [
      outboundGatewayId,
    ]);
    expect(entry?.details).toEqual({ fields: ['auth'] });
  });
});
