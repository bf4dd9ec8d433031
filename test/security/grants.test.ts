import { beforeAll, beforeEach, expect, test } from 'vitest';
import { addGrants, revokeGrants } from '../../db/queries/accounts/grants-change.js';
import { inboundAnswered, inboundCall } from '../../db/queries/calls/inbound.js';
import { inboundLineRows } from '../../db/queries/telephony/inbound-lines.js';
import { requireTransferable } from '../../db/queries/calls/order-transfer.js';
import { readInboundLeg } from '../../domain/call/inbound-call.js';
import { inboundAttributes } from '../../domain/call/inbound-line.js';
import { aBatch, csv, fields, send } from '../api/batch-calls/support.js';
import { anAccount, api, here, settings, useApi } from '../api/support.js';
import {
  aGateway,
  aNumber,
  aRegisteredNumber,
  aRule,
  anAgent,
  numbersBody,
  routeOf,
  rowsOf,
} from '../api/support-resources.js';

useApi();
Object.assign(settings, { OUTDIAL_REQUIRE_GRANTS: 'true' });

const host = 'sip.carrier.example';
const grant = (accountId: string, numbers: readonly string[], hosts: readonly string[] = []) =>
  here()
    .database.db.transaction()
    .execute((tx) => addGrants(tx, accountId, { numbers, hosts }));
const revoke = (accountId: string, numbers: readonly string[], hosts: readonly string[] = []) =>
  here()
    .database.db.transaction()
    .execute((tx) => revokeGrants(tx, accountId, { numbers, hosts }, false));
const mine = () => here().me.account.id;

/** The neighbour: Alice has numbers and a trunk that lets in whatever comes from this service. */
let alice: Awaited<ReturnType<typeof anAccount>>;
let herNumber: string;
beforeAll(async () => {
  alice = await anAccount();
  herNumber = aNumber();
  await grant(alice.account.id, [herNumber], ['alice.pstn.carrier.example']);
  const body = numbersBody({ phoneNumbers: [herNumber], outbound: { address: 'alice.pstn.carrier.example' } });
  expect((await api.post('/v2/sip/phone-numbers', body, { token: alice.token })).status).toBe(201);
});
beforeEach(() => grant(mine(), [], [host]));

const refusedFor = (what: string) => ({
  status: 403,
  text: JSON.stringify({
    message: `This account has not been granted ${what}. Ask the operator of this service.`,
  }),
});
const shown = ({ status, text }: { status: number; text: string }) => ({ status, text });

test('P1-4: no spelling of a neighbour’s trunk becomes a gateway, by whatever operation', async () => {
  const own = aNumber();
  await grant(mine(), [own]);
  const gateway = await aGateway('outbound', { numbers: [own] });
  const inbound = await aGateway('inbound');
  for (const address of [
    ...['alice.pstn.carrier.example', 'ALICE.pstn.carrier.example.', 'alice.pstn.carrier.example:5061', '1.1.1.1:5060'],
    ...['xsip.carrier.example', 'sip.carrier.example.evil.example', '[2606:4700::1111]:5060'],
  ]) {
    for (const answer of [
      await api.post('/v2/sip/outbound-gateways', { name: 'Theft', address }),
      await api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [own], outbound: { address } })),
      await api.patch(`/v2/sip/outbound-gateways/${gateway.id}`, { address }),
      await api.patch(`/v2/sip/phone-numbers/gateways/${gateway.id}`, { address }),
      await api.patch(`/v2/sip/inbound-gateways/${inbound.id}`, { address }),
    ]) {
      expect({ address, status: answer.status }).toEqual({ address, status: 403 });
      expect(answer.text).toContain('has not been granted the SIP host');
    }
  }
  const spellings = ['SIP.Carrier.Example.', 'sip.carrier.example:5071'];
  for (const address of spellings) {
    expect((await api.patch(`/v2/sip/outbound-gateways/${gateway.id}`, { address })).status).toBe(200);
  }
});

test('P2-8: a number is refused in the same words whether another account has it or none, and before anything is looked up', async () => {
  const unknownIds = aNumber();
  for (const number of [herNumber, unknownIds]) {
    for (const answer of [
      await api.post('/v2/sip/inbound-gateways', {
        name: 'In',
        numbers: [number],
        allowedAddresses: ['54.172.60.0/30'],
      }),
      await api.post('/v2/sip/outbound-gateways', { name: 'Out', address: host, numbers: [number] }),
      await api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [number] })),
    ]) {
      expect(shown(answer)).toEqual(refusedFor(`the number ${number}`));
    }
  }
  const gateway = await aGateway('inbound');
  const patched = await api.patch(`/v2/sip/inbound-gateways/${gateway.id}`, { numbers: [herNumber, unknownIds] });
  expect(shown(patched)).toEqual(refusedFor(`the numbers ${[herNumber, unknownIds].sort().join(', ')}`));
  expect(await rowsOf('select 1 from phone_numbers where account_id = $1 and e164 = $2', [mine(), herNumber])).toEqual(
    [],
  );
});

test('P1-4: all that is missing is named at once, and what is granted is accepted', async () => {
  const number = aNumber();
  const body = numbersBody({ phoneNumbers: [number], outbound: { address: 'other.example' } });
  expect(shown(await api.post('/v2/sip/phone-numbers', body))).toEqual(
    refusedFor(`the number ${number} and the SIP host other.example`),
  );
  await grant(mine(), [number], ['other.example']);
  expect((await api.post('/v2/sip/phone-numbers', body)).status).toBe(201);
});

test.each([
  ['P-Asserted-Identity', (number: string) => `<sip:${number}@carrier.example>`],
  ['p-asserted-identity', (number: string) => `"${number}" <sip:${number}@carrier.example>`],
  ['Remote-Party-ID', (number: string) => `<sip:${number}@carrier.example>;party=calling`],
  ['Diversion', (number: string) => `<tel:${number}>;reason=unconditional`],
  ['P-Preferred-Identity', (number: string) => `sip:${number.replace('+', '00')}@carrier.example`],
])('P1-4: %s cannot name a neighbour’s number as the caller', async (name, valueFor) => {
  const own = aNumber();
  await grant(mine(), [own]);
  const gateway = await aGateway('outbound', { numbers: [own] });
  const headers = { [name]: valueFor(herNumber) };
  const both = { [name]: `<sip:${own}@carrier.example>, <sip:${herNumber}@carrier.example>` };
  for (const answer of [
    await api.post('/v2/sip/outbound-gateways', { name: 'Out', address: host, headers }),
    await api.patch(`/v2/sip/outbound-gateways/${gateway.id}`, { headers }),
    await api.patch(`/v2/sip/outbound-gateways/${gateway.id}`, { headers: both }),
  ]) {
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(`${name} must be one SIP or tel address with a number`);
  }
  const fine = { [name]: `<sip:${own}@carrier.example:5060;user=phone>`, 'X-Anything': herNumber, Privacy: 'id' };
  expect((await api.patch(`/v2/sip/outbound-gateways/${gateway.id}`, { headers: fine })).status).toBe(200);
});

test('P1-4: the From host of a gateway is granted too: carriers tell their customers apart by it', async () => {
  const sent = { name: 'Out', address: host, fromHost: 'alice.pstn.carrier.example' };
  expect(shown(await api.post('/v2/sip/outbound-gateways', sent))).toEqual(
    refusedFor('the SIP host alice.pstn.carrier.example'),
  );
});

test('P1-4: a grant that was taken back stops calls, batches, retries, transfers and checks, in words', async () => {
  const own = aNumber();
  await grant(mine(), [own]);
  const number = { ...(await aRegisteredNumber({ phoneNumbers: [own] })), ruleId: '' };
  number.ruleId = await aRule({ phoneNumbers: [own] });
  const { batchId } = await aBatch({ status: 'running', counts: { pending: 3 }, route: routeOf(number) });
  const call = () => api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: own });
  const made = await call();
  expect(made.status).toBe(201);
  const [{ id: callId } = { id: '' }] = await rowsOf<{ id: string }>(
    'select id from calls where from_number = $1 and batch_id is null',
    [own],
  );
  const transfer = () => requireTransferable(here().database.db, { accountId: mine(), callId, to: '+919812345678' });
  await transfer();

  await revoke(mine(), [own]);
  expect(shown(await call())).toEqual(refusedFor(`the number ${own}`));
  const upload = await send([csv(), ...fields({ name: 'Late', phoneNumber: own })]);
  expect(upload.status).toBe(403);
  expect(upload.status).toBe(403);
  expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
    ...{ status: 'running', paused: true, pausedReason: 'not_granted' },
    pausedDetails: `This account has not been granted the number ${own}. Ask the operator of this service. Calls go on when it is granted.`,
  });
  await expect(transfer()).rejects.toThrow(`has not been granted the number ${own}`);
  // What is not about the number goes on.
  expect((await api.patch(`/v2/sip/outbound-gateways/${number.outboundGatewayId}`, { name: 'New' })).status).toBe(200);

  await grant(mine(), [own]);
  await revoke(mine(), [], [host]);
  expect(shown(await call())).toEqual(refusedFor(`the SIP host ${host}`));
  expect((await api.post(`/v2/sip/phone-numbers/gateways/${number.outboundGatewayId}/check`)).status).toBe(403);
  await grant(mine(), [], [host]);
  expect((await call()).status).toBe(201);
  expect((await api.get(`/v1/batch-calls/${batchId}`)).body).not.toMatchObject({ pausedReason: 'not_granted' });
});

test('P2-8: a number whose grant was taken back takes no calls: LiveKit loses it, and a call that is there is hung up', async () => {
  const own = aNumber();
  await grant(mine(), [own]);
  await aRegisteredNumber({ phoneNumbers: [own] });
  const ruleId = await aRule({ type: 'inbound', phoneNumbers: [own], agentId: await anAgent() });
  const { db } = here().database;
  const lines = async () => (await inboundLineRows(db)).map(({ number }) => number);
  expect(await lines()).toContain(own);
  const told = async () => (await rowsOf("select id from outbox where name = 'reconcileInbound'")).length;
  const before = await told();
  await revoke(mine(), [own]);
  expect(await lines()).not.toContain(own);
  expect(await told()).toBe(before + 1);
  const leg = readInboundLeg({
    ...{ [inboundAttributes.rule]: ruleId, [inboundAttributes.number]: own, 'sip.callIDFull': 'two@carrier' },
    ...{ 'sip.phoneNumber': aNumber(), 'sip.callStatus': 'ringing' },
  });
  const call = await inboundCall(db, { leg: leg!, region: 'default', room: 'room', identity: 'sip_x' });
  expect(await rowsOf('select hang_up_reason as reason from call_attempts where call_id = $1', [call?.callId])).toEqual(
    [{ reason: 'not_granted' }],
  );
});

test('P2-8: a caller is handed over by no gateway whose host was taken back', async () => {
  const own = aNumber();
  await grant(mine(), [own]);
  await aRegisteredNumber({ phoneNumbers: [own] });
  const ruleId = await aRule({ type: 'inbound', phoneNumbers: [own], agentId: await anAgent() });
  const { db } = here().database;
  const leg = readInboundLeg({
    ...{ [inboundAttributes.rule]: ruleId, [inboundAttributes.number]: own, 'sip.callIDFull': 'three@carrier' },
    ...{ 'sip.phoneNumber': aNumber(), 'sip.callStatus': 'active' },
  });
  const call = await inboundCall(db, { leg: leg!, region: 'default', room: 'room', identity: 'sip_x' });
  await inboundAnswered(db, call!, new Date());
  const transfer = () =>
    api.post('/v2/sip/call/transfer', {
      callId: `call_${call!.callId}`,
      transferTo: '+919812345678',
      mode: 'warm',
    });
  await revoke(mine(), [], [host]);
  expect(shown(await transfer())).toEqual(refusedFor(`the SIP host ${host}`));
  await grant(mine(), [], [host]);
  expect((await transfer()).status).toBe(200);
});

test('P1-4: the operator’s grants stand in the account’s audit log, and in no other’s', async () => {
  const own = aNumber();
  await grant(mine(), [own]);
  await revoke(mine(), [own]);
  const entries = async (token?: string) => {
    const { body } = await api.get(
      '/v1/account/audit-log?action=grant.add,grant.revoke',
      token === undefined ? {} : { token },
    );
    return (body as { data: { action: string; details: { numbers: string[] } }[] }).data;
  };
  expect((await entries()).slice(0, 2)).toMatchObject([
    { action: 'grant.revoke', details: { by: 'operator', numbers: [own] } },
    { action: 'grant.add', details: { by: 'operator', numbers: [own] } },
  ]);
  expect(JSON.stringify(await entries(alice.token))).not.toContain(own);
});

test('P2-8: a number whose grant was taken back allows no calls to its country any more', async () => {
  const uk = '+442083661177';
  await grant(mine(), [uk]);
  await aRegisteredNumber({ phoneNumbers: [uk] });
  const countries = async () =>
    ((await api.get('/v1/account/guardrails')).body as { countriesInForce: string[] }).countriesInForce;
  expect(await countries()).toContain('GB');
  await revoke(mine(), [uk]);
  expect(await countries()).not.toContain('GB');
});
