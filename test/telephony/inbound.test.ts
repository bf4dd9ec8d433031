import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../embedded/free-port.js';
import { type CallOrder, type PhoneCall, placeCall } from './caller.js';
import { deployAgent, momentOf, patience } from './customer.js';
import {
  callsOf,
  inboundBecomes,
  type InboundNumber,
  isMirrored,
  keptOf,
  openNumber,
  wordsOf,
} from './inbound-line.js';
import { canTalk, type Outdial, startOutdial, webhookUrlAt, withRealAgents } from './service.js';
import { startTelephony, type TelephonyStack } from './stack.js';

const timeout = 180_000;
const person = '+15550300001';
const loopback = { allowedAddresses: ['127.0.0.1'] };
/** LiveKit says nothing to whom it does not let in: how long nothing is waited for. */
const silentMs = 3_000;
/** The agent's clock is the carrier's; what is allowed for is a busy machine. */
const soonMs = 5_000;

describe.skipIf(!canTalk)(withRealAgents('calls that come in by telephone'), () => {
  let stack: TelephonyStack;
  let outdial: Outdial;
  let agentId: string;
  const calls: PhoneCall[] = [];

  beforeAll(async () => {
    const apiPort = await freePort();
    stack = await startTelephony([webhookUrlAt(apiPort)]);
    outdial = await startOutdial({ apiPort, liveKit: stack.liveKit, agents: 2 });
    const greeting = { text: 'Good day, this is the clinic.', interruptible: true };
    agentId = await deployAgent(outdial, 'Receptionist', { greeting });
  }, timeout);
  afterAll(async () => {
    for (const call of calls) await call.close();
    await outdial.close();
    await stack.close();
  }, timeout);
  beforeEach(() => stack.tellLogsOnFailure());

  const open = (gateway: object = loopback, rule: object = {}) => openNumber(outdial, stack, { gateway, rule });
  const openWithAgent = () => open(loopback, { agentId });
  async function dial({ number }: Pick<InboundNumber, 'number'>, order: Partial<CallOrder> = {}): Promise<PhoneCall> {
    const call = await placeCall({ at: `127.0.0.1:${stack.sip.sipPort}`, to: number, from: person, ...order });
    calls.push(call);
    return call;
  }
  /** Rings, is answered by the agent, and hears it. */
  async function talkTo(line: InboundNumber): Promise<PhoneCall> {
    const call = await dial(line);
    expect(await call.final(patience.timeout)).toBe(200);
    await expect.poll(() => call.hearing().soundSeconds(), patience).toBeGreaterThan(0.5);
    return call;
  }
  const gotIn = (call: PhoneCall, name: string) =>
    call.messages().find((message) => message.direction === 'in' && message.name === name);
  const rings = (call: PhoneCall) => expect.poll(() => gotIn(call, '180'), patience).toBeDefined();
  /** Nothing of it is known, and it never gets through. */
  async function isShutOut(line: InboundNumber, call: PhoneCall): Promise<void> {
    await expect(call.final(silentMs)).rejects.toThrow('no final response');
    call.hangUp();
    expect(await callsOf(outdial, line)).toEqual([]);
  }

  test('are answered and greeted by the agent, and end when the caller hangs up', { timeout }, async () => {
    const line = await openWithAgent();
    const call = await talkTo(line);
    const live = await inboundBecomes(outdial, line, {
      ...{ type: 'inbound', status: 'answered', from: person, to: line.number },
    });
    expect(wordsOf(live)).toEqual(['incoming', 'answered']);
    const answeredMs = gotIn(call, '200')!.at.getTime();
    expect(Math.abs(momentOf(live, 'answered') - answeredMs)).toBeLessThan(soonMs);
    call.hangUp();
    expect(await call.over).toBe('we hung up');
    const over = await inboundBecomes(outdial, line, { status: 'ended', reason: 'caller_hung_up' });
    expect(wordsOf(over)).toEqual(['incoming', 'answered', 'ended']);
    expect(over.duration).toBeGreaterThan(0.5);
    await inboundBecomes(outdial, line, {
      transcript: [expect.objectContaining({ speaker: 'agent', text: 'Good day, this is the clinic.' })],
    });
  });

  test('are hung up by the API with a BYE', { timeout }, async () => {
    const line = await openWithAgent();
    const call = await talkTo(line);
    const { id } = await inboundBecomes(outdial, line, { status: 'answered' });
    expect((await outdial.request('POST', '/v2/sip/call/end', { callId: id })).status).toBe(200);
    expect(await call.over).toBe('they hung up');
    await inboundBecomes(outdial, line, { status: 'ended', reason: 'ended_by_api' });
  });

  test('are handed over by REFER, once, by the process that keeps them', { timeout }, async () => {
    const line = await openWithAgent();
    const call = await talkTo(line);
    const { id } = await inboundBecomes(outdial, line, { status: 'answered' });
    const desk = { callId: id, transferTo: 'sip:desk@pbx.example.com' };
    expect((await outdial.request('POST', '/v2/sip/call/transfer', desk)).status).toBe(200);
    expect(await call.over).toBe('we hung up');
    const refers = call.messages().filter(({ direction, name }) => direction === 'in' && name === 'REFER');
    expect(refers.map(({ headers }) => headers['refer-to'])).toEqual(['<sip:desk@pbx.example.com>']);
    const over = await inboundBecomes(outdial, line, { status: 'ended', reason: 'transferred' });
    await expect
      .poll(async () => wordsOf((await callsOf(outdial, line))[0]), patience)
      .toEqual(['incoming', 'answered', 'transfer-initiated', 'transferred', 'ended']);
    expect(over.id).toBe(id);
  });

  test('are told as answered by the agent itself, and outlive api and dialer', { timeout: 2 * timeout }, async () => {
    const line = await openWithAgent();
    await Promise.all([outdial.kill('api'), outdial.kill('dialer')]);
    try {
      const call = await talkTo(line);
      const row = async () =>
        (
          await outdial.database.pool.query<{ phase: string; answered_at: Date | null }>(
            `select a.phase, a.answered_at from calls c join call_attempts a on a.call_id = c.id where c.rule_id = $1`,
            [line.ruleId],
          )
        ).rows;
      await expect.poll(row, patience).toMatchObject([{ phase: 'answered' }]);
      const [{ answered_at: answeredAt } = { answered_at: null }] = await row();
      expect(Math.abs((answeredAt?.getTime() ?? 0) - gotIn(call, '200')!.at.getTime())).toBeLessThan(soonMs);
      // The caller leaves while no process is there to notice.
      call.hangUp();
      expect(await call.over).toBe('we hung up');
    } finally {
      await Promise.all([outdial.start('api'), outdial.start('dialer')]);
    }
    const over = await inboundBecomes(outdial, line, { status: 'ended', reason: 'caller_hung_up' });
    expect(wordsOf(over)).toEqual(['incoming', 'answered', 'ended']);
  });

  test('are missed if the caller gives up while it rings', { timeout }, async () => {
    const line = await open();
    const call = await dial(line);
    await rings(call);
    const ringing = await inboundBecomes(outdial, line, { status: 'incoming', from: person });
    expect(wordsOf(ringing)).toEqual(['incoming']);
    call.hangUp();
    const over = await inboundBecomes(outdial, line, { status: 'missed', reason: 'caller_gave_up' });
    expect(wordsOf(over)).toEqual(['incoming', 'missed']);
  });

  test('to a number without a rule get nowhere', { timeout }, async () => {
    const line = await open();
    const call = await dial({ number: '+15550409999' });
    await isShutOut(line, call);
  });

  describe('from callers who are not allowed', () => {
    // shows: rule.allowed-numbers
    test('get nowhere if the list has whole numbers; those it has ring', { timeout }, async () => {
      const line = await open(loopback, { allowedNumbers: ['+15550300007'] });
      await isShutOut(line, await dial(line));
      const allowed = await dial(line, { from: '+15550300007' });
      await rings(allowed);
      await inboundBecomes(outdial, line, { status: 'incoming', from: '+15550300007' });
      allowed.hangUp();
    });

    test('are rejected if it has beginnings of numbers, and never answered', { timeout }, async () => {
      const line = await open(loopback, { allowedNumbers: ['+44*'], agentId });
      const call = await dial(line);
      await inboundBecomes(outdial, line, { status: 'rejected', reason: 'caller_not_allowed' });
      expect(await call.final()).toBeGreaterThanOrEqual(400);
      expect(gotIn(call, '200')).toBeUndefined();
    });
  });

  describe('from addresses that are not allowed', () => {
    // shows: rule.allowed-addresses
    test('get nowhere, whatever they claim; those allowed ring', { timeout }, async () => {
      const line = await open({ allowedAddresses: ['203.0.113.7'] }, { allowedIpAddresses: ['203.0.113.0/24'] });
      await isShutOut(line, await dial(line));
      // LiveKit compares the host of From as well.
      await isShutOut(line, await dial(line, { fromHost: '203.0.113.7' }));
      const path = `/v2/sip/inbound-gateways/${line.gatewayId}`;
      expect((await outdial.request('PATCH', path, { allowedAddresses: ['127.0.0.0/8'] })).status).toBe(200);
      const rule = `/v2/sip/routing-rule/${line.ruleId}`;
      expect((await outdial.request('PATCH', rule, { allowedIpAddresses: [] })).status).toBe(200);
      const addresses = async () => (await keptOf(stack, line.number)).trunk?.allowedAddresses;
      await expect.poll(addresses, patience).toEqual(['127.0.0.0/8']);
      const allowed = await dial(line);
      await rings(allowed);
      await inboundBecomes(outdial, line, { status: 'incoming' });
      allowed.hangUp();
    });

    test('are rejected unanswered if they claim to be the allowed range itself', { timeout }, async () => {
      const line = await open({ allowedAddresses: ['203.0.113.0/24'] }, { agentId });
      const call = await dial(line, { fromHost: '203.0.113.0/24' });
      await inboundBecomes(outdial, line, { status: 'rejected', reason: 'address_not_allowed' });
      expect(await call.final()).toBeGreaterThanOrEqual(400);
      expect(gotIn(call, '200')).toBeUndefined();
    });
  });

  test('have to present the credentials of the gateway', { timeout }, async () => {
    const line = await open({ auth: { username: 'trunk', password: 'correcthorse' } });
    const stranger = await dial(line);
    expect(await stranger.final()).toBe(407);
    const liar = await dial(line, { credentials: { username: 'trunk', password: 'wrong' } });
    expect(await liar.final()).toBeGreaterThanOrEqual(401);
    expect(await callsOf(outdial, line)).toEqual([]);
    const trunk = await dial(line, { credentials: { username: 'trunk', password: 'correcthorse' } });
    await rings(trunk);
    await inboundBecomes(outdial, line, { status: 'incoming' });
    trunk.hangUp();
  });

  test('are taken again after trunk and rule were deleted in LiveKit', { timeout }, async () => {
    const line = await open();
    const { sip, trunk, rule } = await keptOf(stack, line.number);
    await sip.deleteSipDispatchRule(rule!.sipDispatchRuleId);
    await sip.deleteSipTrunk(trunk!.sipTrunkId);
    // A worker that starts looks at once, as the schedule does every five minutes.
    await outdial.kill('worker');
    await outdial.start('worker');
    await isMirrored(stack, line.number);
    const call = await dial(line);
    await rings(call);
    await inboundBecomes(outdial, line, { status: 'incoming' });
    call.hangUp();
    await inboundBecomes(outdial, line, { status: 'missed' });
  });
});
