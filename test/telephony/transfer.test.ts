import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { voiceLike } from '../../agent/test/voice-like.js';
import type { Carrier, Play } from './carrier.js';
import { callBecomes, callNow, callTo, connectLine, type Line, patience } from './customer.js';
import { type Exchange, startExchange } from './exchange.js';
import { telephoneRate } from './rtp-ear.js';
import { canTalk, type Outdial, withRealAgents } from './service.js';
import type { Invite } from './sip-log.js';

const timeout = 180_000;
/** Rings long enough for an agent to be there. */
const answers: Play = { rings: 180, afterMs: 7_000, finally: 200 };
const callees = {
  taken: ['+15550210001', answers],
  byAddress: ['+15550210002', answers],
  busyThere: ['+15550210003', { ...answers, referEnds: 603, phrase: 'Decline' }],
  noRefer: ['+15550210004', { ...answers, referAnswer: 603, phrase: 'Decline' }],
  slow: ['+15550210005', { ...answers, referAfterMs: 12_000 }],
  orphaned: ['+15550210006', answers],
  wantsPerson: ['+15550210007', answers],
  wantsStranger: ['+15550210008', answers],
} as const satisfies Record<string, readonly [string, Play]>;

const desk = '+15550800001';
const whole = ['initiated', 'ringing', 'answered', 'transfer-initiated', 'transferred', 'ended'];
const failed = ['initiated', 'ringing', 'answered', 'transfer-initiated', 'transfer-failed'];

describe.skipIf(!canTalk)(withRealAgents('a transfer by telephone'), () => {
  let exchange: Exchange;
  let outdial: Outdial;
  let carrier: Carrier;
  let line: Line;

  beforeAll(async () => {
    exchange = await startExchange(Object.fromEntries(Object.values(callees)), 3);
    ({ outdial, carrier } = exchange);
    const greeting = { text: 'Good day, this is the clinic.', interruptible: true };
    line = await connectLine(outdial, carrier, { greeting }, {}, { advanced: { transfer: { to: '{{desk}}' } } });
  }, timeout);
  afterAll(async () => {
    await exchange.close();
  }, timeout);
  beforeEach(() => exchange.stack.tellLogsOnFailure());
  // A call that is left over would keep its agent.
  afterEach(async () => {
    const { body } = await outdial.request('GET', '/v2/sip/call?status=answered');
    for (const { id } of body.data as { id: string }[]) {
      await outdial.request('POST', '/v2/sip/call/end', { callId: id });
      await callBecomes(outdial, id, { status: 'ended' });
    }
  }, timeout);

  /** Rings until the agent is there, answers, and has heard the greeting out. */
  async function talk(callee: keyof typeof callees, metadata: object = {}): Promise<{ id: string; invite: Invite }> {
    const [number] = callees[callee];
    const id = await callTo(outdial, line, number, metadata);
    await expect.poll(() => carrier.invites(number), patience).toHaveLength(1);
    const [invite] = carrier.invites(number);
    await callBecomes(outdial, id, { status: 'answered' });
    await expect.poll(() => carrier.hearing(invite!).soundSeconds(), patience).toBeGreaterThan(0.8);
    return { id, invite: invite! };
  }
  const transfer = async (callId: string, transferTo: string) =>
    (await outdial.request('POST', '/v2/sip/call/transfer', { callId, transferTo })).status;
  const of = ({ callId }: Invite, method: string) => carrier.received(method).filter((each) => each.callId === callId);
  const targets = (invite: Invite) =>
    of(invite, 'REFER').map(({ headers }) => headers['refer-to']?.replace(/^<|>$/g, ''));
  const refers = (invite: Invite) => expect.poll(() => of(invite, 'REFER').length, patience).toBe(1);
  const words = async (id: string) => (await callNow(outdial, id)).timelog.map(({ status }) => status);
  const tells = (id: string, expected: readonly string[]) => expect.poll(() => words(id), patience).toEqual(expected);

  /** The callee, whose call goes on, is hung up on; no REFER came after the first. */
  async function endsInTheEnd(id: string, invite: Invite): Promise<void> {
    expect(of(invite, 'BYE')).toEqual([]);
    expect((await callNow(outdial, id)).status).toBe('answered');
    expect((await outdial.request('POST', '/v2/sip/call/end', { callId: id })).status).toBe(200);
    await callBecomes(outdial, id, { status: 'ended', reason: 'ended_by_api' });
    expect(of(invite, 'REFER')).toHaveLength(1);
  }

  test.each([
    ['taken', desk, `tel:${desk}`],
    ['byAddress', 'sip:desk@pbx.example.com:5062', 'sip:desk@pbx.example.com:5062'],
  ] as const)(
    'that the target takes (%s, %s) is one REFER to it, and the end of the leg',
    { timeout },
    async (callee, to, referTo) => {
      const { id, invite } = await talk(callee);
      expect(await transfer(id, to)).toBe(200);
      await refers(invite);
      expect(targets(invite)).toEqual([referTo]);
      await tells(id, whole);
      await callBecomes(outdial, id, { status: 'ended', reason: 'transferred' });
      await expect.poll(() => of(invite, 'BYE'), patience).toHaveLength(1);
      expect(targets(invite)).toHaveLength(1);
    },
  );

  test.each([
    { callee: 'busyThere', by: 'its target' },
    { callee: 'noRefer', by: 'the carrier' },
  ] as const)('that $by refuses leaves the call as it was', { timeout }, async ({ callee }) => {
    const { id, invite } = await talk(callee);
    expect(await transfer(id, desk)).toBe(200);
    await refers(invite);
    await tells(id, failed);
    const { rows } = await outdial.database.pool.query(
      'select status, sip_status_code as code from call_transfers where call_id = $1',
      [id.replace('call_', '')],
    );
    expect(rows).toEqual([{ status: 'failed', code: 603 }]);
    await endsInTheEnd(id, invite);
  });

  test(
    'whose dialer is killed while the target rings is not asked for again, and is told by the end of the leg',
    { timeout },
    async () => {
      const { id, invite } = await talk('slow');
      expect(await transfer(id, desk)).toBe(200);
      await refers(invite);
      await outdial.kill('dialer');
      await outdial.start('dialer');
      await tells(id, whole);
      await callBecomes(outdial, id, { status: 'ended', reason: 'transferred' });
      expect(of(invite, 'REFER')).toHaveLength(1);
    },
  );

  // shows: calls.transfer
  test('that is asked for while the dialer is dead is sent once by the next one', { timeout }, async () => {
    const { id, invite } = await talk('orphaned');
    await outdial.kill('dialer');
    expect(await transfer(id, desk)).toBe(200);
    await outdial.kill('api');
    await Promise.all([outdial.start('api'), outdial.start('dialer')]);
    await refers(invite);
    await tells(id, whole);
    expect(of(invite, 'REFER')).toHaveLength(1);
  });

  /** The callee says something, which makes the model hand the call over. */
  async function asksForPerson(invite: Invite): Promise<void> {
    outdial.listener.hears.push('Let me talk to a person.');
    outdial.speech.answers.push({ tool: 'transfer_to_person' });
    await carrier.hearing(invite).say(voiceLike(1.6, telephoneRate));
  }

  test('that the agent wants goes to the target of its config, after it has said so', { timeout }, async () => {
    const { id, invite } = await talk('wantsPerson', { desk });
    await asksForPerson(invite);
    await refers(invite);
    expect(targets(invite)).toEqual([`tel:${desk}`]);
    await tells(id, whole);
    const call = await callNow(outdial, id);
    expect(call.reason).toBe('transferred');
    expect(call.transcript?.map(({ text }) => text)).toContain('Words of the model.');
  });

  test('that the agent wants is refused as the API’s is, and the agent says so', { timeout }, async () => {
    const stranger = '+15550800009';
    const listed = await outdial.request('POST', '/v1/do-not-call', { phoneNumbers: [stranger] });
    expect(listed.status).toBeLessThan(300);
    const { id, invite } = await talk('wantsStranger', { desk: stranger });
    outdial.speech.answers.length = 0;
    await asksForPerson(invite);
    outdial.speech.answers.push({ text: 'I am afraid that no one is there.' });
    await expect
      .poll(async () => (await callNow(outdial, id)).transcript?.map(({ text }) => text), patience)
      .toContain('I am afraid that no one is there.');
    expect(JSON.stringify(outdial.speech.asked.at(-1)?.messages)).toContain('do-not-call list');
    expect(of(invite, 'REFER')).toEqual([]);
    expect(await words(id)).toEqual(['initiated', 'ringing', 'answered']);
  });
});
