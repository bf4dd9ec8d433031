import { describe, expect, test } from 'vitest';
import { secretPlaces } from '../../../../domain/account/secret-places.js';
import { gatewayByDefault } from '../../gateways/support.js';
import { aNumber, numbersBody, rowsOf } from '../../support-resources.js';
import { anAccount, api, here } from '../../support.js';

describe('201', () => {
  const create = (change: object = {}, options = {}) => api.post('/v2/sip/phone-numbers', numbersBody(change), options);

  interface Item {
    phoneNumber: { phoneNumberId: string; e164: string; name: string; createdAt: string };
    inbound: { id: string; numbers: string[] };
    outbound: { id: string; numbers: string[] };
  }

  const dataOf = (response: { body: unknown }): Item[] => (response.body as { data: Item[] }).data;

  // shows: numbers.create, numbers.message, numbers.defaults
  test('a number gets an inbound and an outbound gateway, with every default', async () => {
    const e164 = aNumber();
    const response = await create({ phoneNumbers: [e164] });

    expect(response.status).toBe(201);
    const time = expect.stringMatching(/Z$/);
    const gateway = {
      name: 'Reminders',
      ...gatewayByDefault,
      numbers: [e164],
    };
    expect(response.body).toEqual({
      message: expect.stringContaining('registered'),
      data: [
        {
          phoneNumber: {
            phoneNumberId: expect.stringMatching(/^num_/),
            e164,
            name: 'Reminders',
            countryCode: 'IN',
            provider: 'sip',
            origin: 'external',
            status: 'active',
            ...{ maxCallsPerDay: null, minSecondsBetweenCalls: null, callsToday: null, timezone: null },
            lastSevenDays: { attempts: 0, answered: 0, answerRate: null },
            createdAt: time,
            updatedAt: time,
          },
          inbound: { ...gateway, id: expect.stringMatching(/^gwi_/) },
          outbound: {
            ...gateway,
            id: expect.stringMatching(/^gwo_/),
            address: 'sip.carrier.example',
            transport: 'tls',
          },
        },
      ],
    });
  });

  // shows: numbers.shared
  test('a shared pair serves all the numbers; otherwise each number has a pair of its own', async () => {
    const shared = dataOf(await create({ phoneNumbers: [aNumber(), aNumber()] }));
    const separate = dataOf(await create({ phoneNumbers: [aNumber(), aNumber()], isShared: false }));

    expect(new Set(shared.map(({ outbound }) => outbound.id)).size).toBe(1);
    expect(new Set(shared.map(({ inbound }) => inbound.id)).size).toBe(1);
    expect(shared[0]?.outbound.numbers).toEqual(shared.map(({ phoneNumber }) => phoneNumber.e164));
    expect(new Set(separate.map(({ outbound }) => outbound.id)).size).toBe(2);
    expect(new Set(separate.map(({ inbound }) => inbound.id)).size).toBe(2);
    expect(separate[1]?.outbound.numbers).toEqual([separate[1]?.phoneNumber.e164]);
  });

  // shows: numbers.auth, token.sealed, gateway.no-passwords
  test('the trunk’s password is sealed and never returned; every outbound gateway can be dialed from', async () => {
    const password = 'correct horse battery';
    const response = await create({
      outbound: { address: '203.0.113.7:5080', transport: 'udp', auth: { username: 'me', password } },
    });
    expect(response.status).toBe(400);

    const accepted = await create({
      outbound: { address: '93.184.216.34:5080', transport: 'udp', auth: { username: 'me', password } },
    });
    expect(accepted.status).toBe(201);
    expect(accepted.text).not.toContain(password);
    expect(accepted.text).toContain('"auth":{"username":"me"}');
    const outboundId = dataOf(accepted)[0]!.outbound.id;
    const [row] = await rowsOf<{ auth_password_sealed: string; admitted: boolean }>(
      `select auth_password_sealed, exists (select from gateway_admission where gateway_id = id) as admitted
     from gateways where id = $1`,
      [outboundId],
    );
    expect(row?.auth_password_sealed).not.toContain(password);
    const place = secretPlaces.gatewayPassword(here().me.account.id, outboundId);
    expect(here().deps.secretBox.open(row!.auth_password_sealed, place)).toBe(password);
    expect(row?.admitted).toBe(true);
  });

  // shows: numbers.reused
  test('a number on the account without gateways is reused and takes the name', async () => {
    const e164 = aNumber();
    const [first] = dataOf(await create({ phoneNumbers: [e164], name: 'Before' }));
    await rowsOf('delete from number_gateways where e164 = $1', [e164]);

    const response = await create({ phoneNumbers: [e164, aNumber()], name: 'After' });

    expect(response.status).toBe(201);
    const [again] = dataOf(response);
    expect(again?.phoneNumber.phoneNumberId).toBe(first?.phoneNumber.phoneNumberId);
    expect(again?.phoneNumber.name).toBe('After');
    expect(again?.outbound.id).not.toBe(first?.outbound.id);
  });

  // shows: everywhere.null, numbers.required
  test('null and an absent field are the same, 100 numbers and the longest name are accepted', async () => {
    const response = await create({
      name: 'x'.repeat(256),
      phoneNumbers: Array.from({ length: 100 }, aNumber),
      isShared: null,
      mediaEncryption: null,
      inbound: null,
      outbound: { address: 'sip.carrier.example', auth: null, sipRegion: 'default', transport: 'tcp' },
    });
    expect(response.status).toBe(201);
    expect(dataOf(response)).toHaveLength(100);
  });

  // shows: idempotency.replay, idempotency.per-key
  test('an Idempotency-Key makes a second try harmless, and belongs to one account’s key', async () => {
    const body = numbersBody();
    const headers = { 'idempotency-key': 'register-1' };
    const first = await api.post('/v2/sip/phone-numbers', body, { headers });
    const again = await api.post('/v2/sip/phone-numbers', body, { headers });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.headers['idempotent-replayed']).toBe('true');

    const other = await anAccount();
    const elsewhere = await api.post('/v2/sip/phone-numbers', numbersBody(), { headers, token: other.token });
    expect(elsewhere.status).toBe(201);
    expect(elsewhere.headers['idempotent-replayed']).toBeUndefined();
  });

  test('what was registered is in the audit log, with the key and the address that asked', async () => {
    const [item] = dataOf(await create());
    const entries = await rowsOf('select account_id, key_id, action, address from audit_log where target = $1', [
      item!.phoneNumber.phoneNumberId,
    ]);
    expect(entries).toEqual([
      {
        account_id: here().me.account.id,
        key_id: here().me.key.id,
        action: 'phone-number.create',
        address: '127.0.0.1',
      },
    ]);
  });
});
