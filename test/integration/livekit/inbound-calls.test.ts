import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { eraseContact } from '../../../db/queries/accounts/erase-contact.js';
import { inboundCall } from '../../../db/queries/calls/inbound.js';
import { inboundAttributes } from '../../../domain/call/inbound-line.js';
import { readInboundLeg } from '../../../domain/call/inbound-call.js';
import { liveKitRoom } from '../../../domain/call/room.js';
import { api, here, settings, useApi } from '../../api/support.js';
import { aRegisteredNumber, aRule, anAgent, rowsOf } from '../../api/support-resources.js';
import { left } from './courses.js';
import { type ParticipantEvent, signedWebhook } from './twirp.js';

useApi();

const key = { apiKey: 'APItest', apiSecret: 'a-secret-of-thirty-two-characters!' };
Object.assign(settings, {
  OUTDIAL_LIVEKIT_URL: 'http://127.0.0.1:7880',
  OUTDIAL_LIVEKIT_API_KEY: key.apiKey,
  OUTDIAL_LIVEKIT_API_SECRET: key.apiSecret,
});

const caller = '+919812345678';
interface Leg {
  readonly number: string;
  readonly ruleId: string;
  readonly sipCallId: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

async function aLeg(
  rule: object = {},
  attributes: Leg['attributes'] = {},
): Promise<Leg & { readonly agentId: string }> {
  const { e164 } = await aRegisteredNumber();
  const agentId = await anAgent();
  const ruleId = await aRule({ type: 'inbound', phoneNumbers: [e164], agentId, ...rule });
  return { number: e164, ruleId, agentId, sipCallId: `${uuid()}@carrier`, attributes };
}

const attributesOf = ({ number, ruleId, sipCallId, attributes }: Leg, callStatus: string) => ({
  ...{ [inboundAttributes.rule]: ruleId, [inboundAttributes.number]: number },
  ...{ 'sip.callIDFull': sipCallId, 'sip.callID': 'SCL_x', 'sip.phoneNumber': caller, 'sip.trunkPhoneNumber': number },
  ...{ 'sip.callStatus': callStatus, ...attributes },
});

const eventOf = (event: ParticipantEvent['event'], leg: Leg, callStatus: string, reason = 0): ParticipantEvent => ({
  ...{ event, id: `EV_${uuid()}`, createdAt: String(Math.ceil(Date.now() / 1000)) },
  room: { name: `inbound_${leg.sipCallId}`, sid: 'RM_x' },
  participant: {
    identity: `sip_${caller}`,
    kind: 'SIP',
    attributes: attributesOf(leg, callStatus),
    disconnectReason: reason,
  },
});

async function tell(event: ParticipantEvent): Promise<boolean> {
  const { body, authorization } = await signedWebhook(event, key);
  const headers = { 'content-type': 'application/webhook+json', authorization };
  const answer = await here().app.inject({ method: 'POST', url: '/livekit/webhook', headers, payload: body });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ stored: boolean }>().stored;
}

const joined = (leg: Leg, callStatus = 'ringing') => tell(eventOf('participant_joined', leg, callStatus));
const gone = (leg: Leg, callStatus = 'active', reason: number = left.clientInitiated) =>
  tell(eventOf('participant_left', leg, callStatus, reason));

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly timelog: readonly { readonly status: string }[];
  readonly [field: string]: unknown;
}
async function callsOf({ ruleId }: Leg): Promise<Shown[]> {
  const { body } = await api.get(`/v2/sip/call?ruleId=${ruleId}`);
  return (body as { data: Shown[] }).data;
}
const wordsOf = (call: Shown | undefined) => call?.timelog.map(({ status }) => status);

describe('a call that comes in', () => {
  test('is listed from its first ringing to its end, with number, caller, rule, agent and room', async () => {
    const leg = await aLeg();
    expect(await joined(leg)).toBe(true);
    const [ringing] = await callsOf(leg);
    expect(ringing).toMatchObject({
      ...{ type: 'inbound', status: 'incoming', from: caller, to: leg.number, ruleId: leg.ruleId },
      roomId: `inbound_${leg.sipCallId}`,
    });
    const incoming = await api.get(`/v2/sip/call?ruleId=${leg.ruleId}&status=incoming&type=inbound`);
    expect((incoming.body as { data: Shown[] }).data).toHaveLength(1);
    await joined(leg, 'active');
    expect(wordsOf((await callsOf(leg))[0])).toEqual(['incoming', 'answered']);
    await gone(leg);
    const [over] = await callsOf(leg);
    expect([over?.status, wordsOf(over)]).toEqual(['ended', ['incoming', 'answered', 'ended']]);
    const { body } = await api.get(`/v2/sip/call/${over?.id}`);
    expect(body).toMatchObject({
      data: { agentId: leg.agentId, reason: 'caller_hung_up', attempts: [{ number: 1, status: 'ended' }] },
    });
  });

  test('is priced as it ends, by a price that names its gateway and the country of its caller, and by no other', async () => {
    const perMinute = { perMinute: 60, incrementSeconds: 60 };
    const priced = async (leg: Leg, gatewayId?: string) => {
      const calls = [
        { perMinute: 1 },
        ...(gatewayId === undefined ? [] : [{ gatewayId, country: 'IN', ...perMinute }]),
      ];
      expect((await api.put('/v1/account/prices', { currency: 'EUR', calls })).status).toBe(200);
      await joined(leg);
      await joined(leg, 'active');
      await gone(leg);
      const [over] = await callsOf(leg);
      return over;
    };
    const first = await priced(await aLeg());
    expect(first?.cost).toEqual({ amount: null, currency: 'EUR', withoutPrice: 1 });
    const leg = await aLeg();
    await joined(leg);
    const [call] = await callsOf(leg);
    const second = await priced(leg, String(call?.gatewayId));
    expect(second?.cost).toEqual({ amount: 60, currency: 'EUR', withoutPrice: 0 });
  });

  test('P1-2: shows its room by the account’s own name, and is found by it; LiveKit’s has the account in front', async () => {
    const leg = await aLeg();
    const told = eventOf('participant_joined', leg, 'ringing');
    const own = told.room.name;
    await tell({ ...told, room: { ...told.room, name: liveKitRoom(here().me.account.id, own) } });
    const [call] = await callsOf(leg);
    expect(call?.roomId).toBe(own);
    const { body } = await api.get(`/v2/sip/call?roomId=${encodeURIComponent(own)}`);
    expect((body as { data: Shown[] }).data.map(({ id }) => id)).toEqual([call?.id]);
  });

  test('that is never answered is missed', async () => {
    const leg = await aLeg();
    await joined(leg);
    await gone(leg, 'hangup');
    const [call] = await callsOf(leg);
    expect([call?.status, wordsOf(call)]).toEqual(['missed', ['incoming', 'missed']]);
  });

  test('is one call, whichever sources tell of it, how often and in which order', async () => {
    const leg = await aLeg();
    const seen = {
      leg: readInboundLeg(attributesOf(leg, 'ringing'))!,
      ...{ region: 'default', room: `inbound_${leg.sipCallId}`, identity: `sip_${caller}` },
    };
    const [agents] = await Promise.all([inboundCall(here().database.db, seen), joined(leg), joined(leg)]);
    const [call, ...others] = await callsOf(leg);
    expect([call?.id, others]).toEqual([`call_${agents?.callId}`, []]);
  });

  test('whose end is told before its beginning stays ended', async () => {
    const leg = await aLeg();
    await gone(leg, 'active');
    await joined(leg, 'ringing');
    await joined(leg, 'active');
    const calls = await callsOf(leg);
    expect(calls.map(wordsOf)).toEqual([['incoming', 'answered', 'ended']]);
  });

  test('never goes back: LiveKit says `dialing` of a leg that talks when it is restarted', async () => {
    const leg = await aLeg();
    await joined(leg, 'active');
    await joined(leg, 'dialing');
    await gone(leg, 'dialing', left.serverShutdown);
    expect((await callsOf(leg))[0]?.status).toBe('answered');
  });

  test('of many on one number: each has its own', async () => {
    const leg = await aLeg();
    await Promise.all([joined(leg), joined({ ...leg, sipCallId: 'another@carrier' })]);
    expect(await callsOf(leg)).toHaveLength(2);
  });

  test('of a caller whom the rule does not allow is rejected, and its leg is to be hung up', async () => {
    const leg = await aLeg({ allowedNumbers: ['+44*'] });
    await joined(leg);
    const [order] = await rowsOf<{ hang_up_reason: string }>(
      'select hang_up_reason from call_attempts a join calls c on c.id = a.call_id where c.rule_id = $1',
      [leg.ruleId],
    );
    expect(order?.hang_up_reason).toBe('caller_not_allowed');
    await gone(leg, 'hangup', left.participantRemoved);
    expect((await callsOf(leg))[0]?.status).toBe('rejected');
  });

  test('whose From header claims to be a range of addresses is rejected: LiveKit takes such a text for the address', async () => {
    const leg = await aLeg({ allowedIpAddresses: ['198.51.100.0/24'] }, { 'sip.hostname': '198.51.100.0/24' });
    await joined(leg);
    await gone(leg, 'hangup', left.participantRemoved);
    expect(await callsOf(leg)).toMatchObject([{ status: 'rejected' }]);
  });

  test.each([
    [['+919812345678'], 'ended'],
    [['+44*'], 'rejected'],
  ])(
    'of a caller who is hidden, by a rule that allows %j, is %s: LiveKit has compared whole numbers alone',
    async (allowedNumbers, status) => {
      const leg = await aLeg({ allowedNumbers, hidePhoneNumber: true }, { 'sip.phoneNumber': '' });
      await joined(leg);
      await joined(leg, 'active');
      await gone(leg, 'hangup');
      expect(await callsOf(leg)).toMatchObject([{ status, from: 'anonymous' }]);
    },
  );

  test('whose agent is not active is rejected', async () => {
    const leg = await aLeg({ agentId: await anAgent({ status: 'inactive' }) });
    await joined(leg);
    await gone(leg, 'hangup', left.participantRemoved);
    expect(await callsOf(leg)).toMatchObject([{ status: 'rejected' }]);
  });

  test('carries what the caller’s headers say, and no header says whose call it is', async () => {
    const headersToAttributes = { 'X-Customer': 'customer', 'X-Evil': inboundAttributes.rule };
    const leg = await aLeg({ headersToAttributes }, { customer: '4711', unasked: 'x' });
    await joined(leg);
    expect((await callsOf(leg))[0]?.metadata).toEqual({ customer: '4711' });
  });

  test('a header that spells out an escaped NUL is kept as it came, and one with a NUL without it', async () => {
    const leg = await aLeg({ headersToAttributes: { 'X-Customer': 'customer' } }, { customer: '\\u0000 4\x00711' });
    await joined(leg);
    expect((await callsOf(leg))[0]?.metadata).toEqual({ customer: '\\u0000 4711' });
  });

  test('is found by its room', async () => {
    const leg = await aLeg();
    await joined(leg);
    const { body } = await api.get(`/v2/sip/call?roomId=${encodeURIComponent(`inbound_${leg.sipCallId}`)}`);
    expect(body).toMatchObject({ data: [{ ruleId: leg.ruleId }] });
  });

  test('leaves nothing of a caller who is erased, also if he is on the line', async () => {
    const [leg, other] = [await aLeg(), await aLeg()];
    const person = '+919800000042';
    const of = { 'sip.phoneNumber': person };
    const [over, live] = [
      { ...leg, attributes: of },
      { ...other, attributes: of },
    ];
    await joined(over, 'active');
    await gone(over);
    await joined(live, 'active');
    const { database, me } = here();
    await database.db.transaction().execute((tx) => eraseContact(tx, me.account.id, person));
    const legs = () =>
      rowsOf<{ room: string; identity: string; hung: boolean }>(
        `select l.room, l.identity, a.hang_up_at is not null as hung from inbound_legs l
         join calls c on c.id = l.call_id join call_attempts a on a.call_id = c.id
         where c.rule_id = any ($1) order by l.open`,
        [[leg.ruleId, other.ruleId]],
      );
    const [gonePerson, talking] = await legs();
    expect([gonePerson?.room, gonePerson?.identity, talking?.hung]).toEqual(['', '', true]);
    await gone(live, 'hangup', left.participantRemoved);
    expect((await legs()).map(({ room, identity }) => room + identity)).toEqual(['', '']);
    expect(JSON.stringify(await callsOf(live))).not.toContain(person);
  });

  test('of a hidden caller says so', async () => {
    const leg = await aLeg({ hidePhoneNumber: true }, { 'sip.phoneNumber': '' });
    await joined(leg);
    expect((await callsOf(leg))[0]?.from).toBe('anonymous');
  });

  test('is told to the account’s SIP webhooks, each event once', async () => {
    const events = ['call-started', 'call-answered', 'call-hangup', 'call-missed'];
    const { body } = await api.post('/v2/sip/webhooks', { url: 'https://example.com/calls', events });
    const leg = await aLeg();
    for (const status of ['ringing', 'active', 'active']) await joined(leg, status);
    await gone(leg);
    await gone(leg);
    const told = await rowsOf<{ event: string; payload: string }>(
      `select d.event, d.payload from webhook_deliveries d join calls c on c.id = d.call_id
       where d.sip_webhook_id = $1 and c.rule_id = $2 order by d.id`,
      [(body as { id: string }).id, leg.ruleId],
    );
    expect(told.map(({ event }) => event)).toEqual(['call-started', 'call-answered', 'call-hangup']);
    expect(JSON.parse(told[0]!.payload)).toMatchObject({ data: { type: 'inbound', status: 'incoming' } });
  });

  test('that was answered is summarized if its agent says so, by the version that was live then', async () => {
    const leg = await aLeg();
    // Versions never change, so that the one that is live is another.
    const { db } = here().database;
    const summarizing = `ver_${uuid()}`;
    const config = JSON.stringify({ name: 'Agent', languages: {}, callSummary: { enabled: true } });
    await db
      .insertInto('agent_versions')
      .values({
        ...{ id: summarizing, account_id: here().me.account.id, agent_id: leg.agentId },
        ...{ number: 2, name: 'Agent', config },
      })
      .execute();
    await db.updateTable('deployments').set({ version_id: summarizing }).where('agent_id', '=', leg.agentId).execute();
    await joined(leg, 'active');
    await gone(leg);
    const [call] = await callsOf(leg);
    expect(await rowsOf('select name from outbox where workflow_id = $1', [`${call?.id}/summary`])).toEqual([
      { name: 'summarizeCall' },
    ]);
    expect((await api.get(`/v2/sip/call/${call?.id}`)).body).toMatchObject({ data: { versionId: summarizing } });
  });

  test.each([
    ['a rule that is unknown', { [inboundAttributes.rule]: `rule_${uuid()}` }],
    ['a number that is not the rule’s', { [inboundAttributes.number]: '+15550000000' }],
  ])('by %s is kept nowhere', async (_what, attributes) => {
    const leg = await aLeg({}, attributes);
    expect(await joined(leg)).toBe(false);
    expect(await callsOf(leg)).toEqual([]);
  });

  test('is not made by who only says so: only callers by telephone count', async () => {
    const leg = await aLeg();
    const event = eventOf('participant_joined', leg, 'active');
    expect(await tell({ ...event, participant: { ...event.participant, kind: 'AGENT' } })).toBe(false);
    expect(await callsOf(leg)).toEqual([]);
  });
});
