import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mirrorInbound } from '../../../activities/inbound.js';
import { pino } from 'pino';
import type { InboundCarrier } from '../../../activities/deps.js';
import { createLogger } from '../../../platform/logger.js';
import { createSecretBox } from '../../../platform/secret-box.js';
import { mirrorInboundLines } from '../../../telephony/livekit/inbound-mirror.js';
import { ProviderUnreachable } from '../../../telephony/provider.js';
import { anAccount, api, here, useApi } from '../../api/support.js';
import { aRegisteredNumber, aRule, anAgent, rowsOf } from '../../api/support-resources.js';
import { FakeLiveKit } from './fake-livekit.js';

useApi();

let fake: FakeLiveKit;
beforeAll(async () => {
  fake = await FakeLiveKit.start();
});
afterAll(() => fake.down());

const round = () => {
  const { database, deps } = here();
  const regions = [{ name: 'default', url: fake.url, apiKey: fake.apiKey, apiSecret: fake.apiSecret }];
  return mirrorInbound(database.db, {
    secretBox: deps.secretBox,
    logger: createLogger('worker', 'silent'),
    inbound: { mirror: (lines, asTheyAre) => mirrorInboundLines(lines, regions, asTheyAre) },
  });
};

/** A number that callers from one network reach, and its inbound rule. */
async function aLine(rule: object = {}, { account: { id: accountId }, token } = here().me) {
  const number = await aRegisteredNumber({}, { token });
  const allowed = { allowedAddresses: ['198.51.100.0/24'] };
  const changed = await api.patch(`/v2/sip/inbound-gateways/${number.inboundGatewayId}`, allowed, { token });
  if (changed.status !== 200) throw new Error(changed.text);
  const agentId = await anAgent({ accountId });
  const ruleId = await aRule({ type: 'inbound', phoneNumbers: [number.e164], agentId, ...rule }, { token });
  return { ...number, ruleId };
}

const trunkOf = (e164: string) => [...fake.inbound.trunks.values()].find(({ numbers }) => String(numbers) === e164);
const ruleOf = (id: string) => [...fake.inbound.rules.values()].find(({ name }) => String(name).includes(id));
const asked = () =>
  rowsOf<{ workflow_id: string }>("select workflow_id from outbox where name = 'reconcileInbound' order by id");

describe('the mirror of inbound numbers', () => {
  test('gives LiveKit a trunk and a dispatch rule for a number, and does nothing the second time', async () => {
    const line = await aLine({ hidePhoneNumber: true, headersToAttributes: { 'X-Customer': 'customer' } });
    expect(await round()).toMatchObject({ changed: 1, refused: 0 });
    expect(trunkOf(line.e164)).toMatchObject({
      name: `outdial ${line.inboundGatewayId} ${line.e164}`,
      allowedAddresses: ['198.51.100.0/24'],
      headersToAttributes: { 'X-Customer': 'customer' },
    });
    expect(ruleOf(line.ruleId)).toMatchObject({
      hidePhoneNumber: true,
      trunkIds: [trunkOf(line.e164)?.sipTrunkId],
      roomConfig: { agents: [{ agentName: 'outdial-agent', metadata: line.ruleId }] },
    });
    const before = fake.inbound.changes.length;
    expect(await round()).toMatchObject({ changed: 0, deleted: 0 });
    expect(fake.inbound.changes.length).toBe(before);
  });

  test('P1-2: callers of two accounts whose rules name one room are put into two, each with its account in front', async () => {
    const other = await anAccount();
    const room = { type: 'static', id: 'support' };
    const mine = await aLine({ room });
    const theirs = await aLine({ room }, other);
    const dynamic = await aLine();
    await round();
    const roomOf = (ruleId: string) => JSON.stringify(ruleOf(ruleId)?.rule);
    expect(roomOf(mine.ruleId)).toContain(`"${here().me.account.id}.support"`);
    expect(roomOf(theirs.ruleId)).toContain(`"${other.account.id}.support"`);
    expect(roomOf(dynamic.ruleId)).toContain(`"${here().me.account.id}.inbound"`);
  });

  test('follows changes of gateway and rule, and takes back what is deleted', async () => {
    const line = await aLine();
    await round();
    const auth = { username: 'trunk', password: 'correct horse' };
    await api.patch(`/v2/sip/inbound-gateways/${line.inboundGatewayId}`, { auth, mediaEncryption: 'enable' });
    await api.patch(`/v2/sip/routing-rule/${line.ruleId}`, { allowedIpAddresses: ['198.51.100.128/25'] });
    expect(await round()).toMatchObject({ changed: 1 });
    expect(trunkOf(line.e164)).toMatchObject({
      ...{ authUsername: 'trunk', authPassword: 'correct horse' },
      // Only who is let through by both.
      allowedAddresses: ['198.51.100.128/25'],
      media: { encryption: 'SIP_MEDIA_ENCRYPT_REQUIRE' },
    });
    expect((await api.delete(`/v2/sip/routing-rule/${line.ruleId}`)).status).toBe(200);
    expect(await round()).toMatchObject({ deleted: 2 });
    expect([trunkOf(line.e164), ruleOf(line.ruleId)]).toEqual([undefined, undefined]);
  });

  test('puts right what was changed by hand, and leaves alone what is not ours', async () => {
    const line = await aLine();
    await round();
    const theirs = { sipTrunkId: 'ST_theirs', name: 'Reception', numbers: ['+15550000001'] };
    fake.inbound.trunks.set('ST_theirs', theirs);
    const trunk = trunkOf(line.e164);
    fake.inbound.trunks.set(String(trunk?.sipTrunkId), { ...trunk, allowedAddresses: [] });
    for (const [id, rule] of fake.inbound.rules) {
      if (String(rule.name).includes(line.ruleId)) fake.inbound.rules.delete(id);
    }
    expect(await round()).toMatchObject({ changed: 1, deleted: 0 });
    expect(trunkOf(line.e164)).toMatchObject({ allowedAddresses: ['198.51.100.0/24'] });
    expect(ruleOf(line.ruleId)).toBeDefined();
    expect(fake.inbound.trunks.get('ST_theirs')).toEqual(theirs);
    fake.inbound.trunks.delete('ST_theirs');
  });

  test('goes on if a round was lost in the middle', async () => {
    const lines = [await aLine(), await aLine()];
    fake.inbound.failsAfter(3);
    await expect(round()).rejects.toBeInstanceOf(ProviderUnreachable);
    expect(await round()).toMatchObject({ refused: 0 });
    for (const { e164, ruleId } of lines) expect([trunkOf(e164), ruleOf(ruleId)]).not.toContain(undefined);
    expect(fake.inbound.trunks.size).toBe(fake.inbound.rules.size);
  });

  test('says which number LiveKit does not take, and sees to the others', async () => {
    const [taken, fine] = [await aLine(), await aLine()];
    fake.inbound.trunks.set('ST_other', { sipTrunkId: 'ST_other', name: 'Reception', numbers: [taken.e164] });
    expect(await round()).toMatchObject({ refused: 1 });
    expect(trunkOf(fine.e164)).toBeDefined();
    fake.inbound.trunks.delete('ST_other');
  });

  test('leaves numbers as they are whose secrets cannot be opened, and sees to those of other accounts', async () => {
    const { database, deps } = here();
    const auth = { username: 'trunk', password: 'correct horse' };
    const [damaged, foreign, pinless] = [await aLine(), await aLine(), await aLine({ room: { pin: '4711' } })];
    for (const line of [damaged, foreign])
      await api.patch(`/v2/sip/inbound-gateways/${line.inboundGatewayId}`, { auth });
    await round();
    const before = [damaged, foreign, pinless].map((line) => [trunkOf(line.e164), ruleOf(line.ruleId)]);
    expect(before.flat()).not.toContain(undefined);

    const lostKey = createSecretBox([`lost:${Buffer.alloc(32, 9).toString('base64')}`]);
    const place = { kind: 'password', owner: [] };
    const seal = (gatewayId: string, sealed: string) =>
      database.pool.query('update gateways set auth_password_sealed = $2 where id = $1', [gatewayId, sealed]);
    await seal(damaged.inboundGatewayId, 'v2.k1.AAAA');
    await seal(foreign.inboundGatewayId, lostKey.seal('correct horse', place));
    const { ruleId } = pinless;
    await database.pool.query("update routing_rules set room_pin_sealed = 'nothing at all' where id = $1", [ruleId]);

    const other = await aLine({}, await anAccount());
    const logged: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
    const regions = [{ name: 'default', url: fake.url, apiKey: fake.apiKey, apiSecret: fake.apiSecret }];
    const mirror: InboundCarrier['mirror'] = (lines, asTheyAre) => mirrorInboundLines(lines, regions, asTheyAre);
    const found = await mirrorInbound(database.db, { secretBox: deps.secretBox, logger, inbound: { mirror } });

    expect(found).toMatchObject({ unreadable: 3, changed: 1, deleted: 0 });
    expect(trunkOf(other.e164)).toBeDefined();
    expect([damaged, foreign, pinless].map((line) => [trunkOf(line.e164), ruleOf(line.ruleId)])).toEqual(before);
    for (const id of [damaged.inboundGatewayId, foreign.inboundGatewayId, ruleId]) expect(logged.join()).toContain(id);
    expect(logged.join()).not.toContain('correct horse');
  });

  test('goes on after a number at which LiveKit fails, and says at the end that it failed', async () => {
    const [first, second] = [await aLine(), await aLine()];
    fake.inbound.failsAfter(0);
    await expect(round()).rejects.toBeInstanceOf(ProviderUnreachable);
    const made = [first, second].filter(({ ruleId }) => ruleOf(ruleId) !== undefined);
    expect(made).toHaveLength(1);
    await round();
  });

  test('lets no one call a number whose gateway and rule name no allowed caller', async () => {
    const number = await aRegisteredNumber();
    const ruleId = await aRule({ type: 'inbound', phoneNumbers: [number.e164], agentId: await anAgent() });
    expect((await round()).obstructed).toBeGreaterThan(0);
    expect([trunkOf(number.e164), ruleOf(ruleId)]).toEqual([undefined, undefined]);
  });

  test('lets no one call if gateway and rule have no address in common', async () => {
    const line = await aLine({ allowedIpAddresses: ['203.0.113.0/24'] });
    await round();
    expect(trunkOf(line.e164)).toBeUndefined();
  });

  test('does nothing where calls are simulated', async () => {
    const { database, deps } = here();
    const before = fake.inbound.changes.length;
    const logger = createLogger('worker', 'silent');
    expect(await mirrorInbound(database.db, { secretBox: deps.secretBox, logger })).toMatchObject({ changed: 0 });
    expect(fake.inbound.changes.length).toBe(before);
  });

  test('is asked for by every change of an inbound line, once in a transaction, and by nothing else', async () => {
    const line = await aLine();
    const news = async (change: () => Promise<{ status: number }>): Promise<number> => {
      const before = (await asked()).length;
      expect((await change()).status).toBeLessThan(300);
      return (await asked()).length - before;
    };
    const gateway = `/v2/sip/inbound-gateways/${line.inboundGatewayId}`;
    const rule = `/v2/sip/routing-rule/${line.ruleId}`;
    expect(await news(() => api.patch(gateway, { allowedAddresses: ['203.0.113.7'] }))).toBe(1);
    expect(await news(() => api.patch(rule, { name: 'Another', phoneNumbers: [line.e164] }))).toBe(1);
    expect(await news(() => api.post('/v2/sip/phone-numbers/detach', { phoneNumber: line.e164 }))).toBe(1);
    expect(await news(() => api.delete(rule))).toBe(1);
    const other = await aRegisteredNumber();
    expect(await news(() => api.patch(`/v2/sip/outbound-gateways/${other.outboundGatewayId}`, { name: 'x' }))).toBe(0);
    expect(await news(() => api.post('/v2/sip/phone-numbers/detach', { phoneNumber: other.e164 }))).toBe(0);
  });

  test('never has two rounds at once', async () => {
    const { database, deps } = here();
    const parts = { secretBox: deps.secretBox, logger: createLogger('worker', 'silent') };
    const nothing = { changed: 0, deleted: 0, refused: [] };
    const second = () => mirrorInbound(database.db, { ...parts, inbound: { mirror: () => Promise.resolve(nothing) } });
    let outcome: unknown;
    const mirror = async () => {
      outcome = await second().catch((error: unknown) => String(error));
      return nothing;
    };
    await mirrorInbound(database.db, { ...parts, inbound: { mirror } });
    expect(outcome).toContain('under way');
    expect(await second()).toMatchObject({ refused: 0 });
  });
});
