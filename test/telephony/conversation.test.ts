import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { voiceLike } from '../../agent/test/voice-like.js';
import type { Carrier } from './carrier.js';
import { callBecomes, callNow, callTo, connectLine, type Line, momentOf, patience } from './customer.js';
import { type Exchange, startExchange } from './exchange.js';
import { type Hearing, telephoneRate } from './rtp-ear.js';
import { canTalk, type Outdial, withRealAgents } from './service.js';
import type { Invite, SipMessage } from './sip-log.js';

const timeout = 120_000;
/** A carrier's clock and LiveKit's differ by nothing here; what is allowed for is a busy machine. */
const soonMs = 3_000;
const greeting = { text: 'Good day {{name}}, this is the clinic.', interruptible: true };
const [talker, leaver] = ['+15550200001', '+15550200002'];

describe.skipIf(!canTalk)(withRealAgents('a conversation by telephone'), () => {
  let exchange: Exchange;
  let outdial: Outdial;
  let carrier: Carrier;
  let line: Line;

  beforeAll(async () => {
    exchange = await startExchange(
      {
        [talker]: { rings: 180, afterMs: 10_000, finally: 200 },
        [leaver]: { rings: 180, afterMs: 10_000, finally: 200, hangsUpAfterMs: 6_000 },
      },
      2,
    );
    ({ outdial, carrier } = exchange);
    const endCall = { enabled: true, when: 'the callee says goodbye', message: 'Goodbye {{name}}.' };
    const callSummary = { enabled: true, llm: { model: 'custom/fake-summary' }, instruction: 'One sentence.' };
    line = await connectLine(outdial, carrier, { greeting, endCall }, {}, { callSummary });
  }, 2 * timeout);
  afterAll(async () => {
    await exchange.close();
  }, timeout);
  beforeEach((context) => exchange.stack.tellLogsOnFailure(context));

  async function inviteTo(number: string): Promise<Invite> {
    await expect.poll(() => carrier.invites(number), patience).toHaveLength(1);
    const [invite] = carrier.invites(number);
    return invite!;
  }

  /** When the carrier sent or received this in the call of that INVITE. */
  async function momentAtCarrier({ callId }: Invite, name: string, direction: SipMessage['direction']) {
    const found = () =>
      carrier.messages().find((each) => each.callId === callId && each.name === name && each.direction === direction);
    await expect.poll(found, patience).toBeDefined();
    return found()!.at.getTime();
  }

  const answers = (invite: Invite) => momentAtCarrier(invite, '200', 'out');

  /** The agent has said something, and has finished. */
  async function hears(hearing: Hearing, seconds: number): Promise<void> {
    await expect.poll(() => hearing.soundSeconds(), patience).toBeGreaterThan(seconds);
    let before = -1;
    const isQuiet = () => {
      const isSame = hearing.soundSeconds() === before;
      before = hearing.soundSeconds();
      return isSame;
    };
    await expect.poll(isQuiet, { ...patience, interval: 500 }).toBe(true);
  }

  test('is heard by both, is written down, and ends when the agent hangs up', { timeout }, async () => {
    outdial.speech.scripts.set('fake-summary', { hears: [], answers: [{ text: 'The callee comes on Monday.' }] });
    const callId = await callTo(outdial, line, talker, { name: 'Ada' });
    const invite = await inviteTo(talker);
    const hearing = carrier.hearing(invite);

    const answeredAt = await answers(invite);
    await hears(hearing, 0.8);
    // Its first sound comes after the answer, however early the agent was there.
    const silenceMs = hearing.firstSoundAt!.getTime() - answeredAt;
    expect(silenceMs).toBeGreaterThanOrEqual(0);
    expect(silenceMs).toBeLessThan(soonMs);

    outdial.listener.hears.push('Yes, Monday is fine.');
    outdial.speech.answers.push({ text: 'Wonderful, see you on Monday.' });
    const greeted = hearing.soundSeconds();
    await hearing.say(voiceLike(1.6, telephoneRate));
    await expect.poll(() => outdial.listener.heard.length, patience).toBe(1);
    const [heard] = outdial.listener.heard;
    expect(heard?.seconds).toBeGreaterThan(1);
    expect(heard?.loudest).toBeGreaterThan(1_000);
    await hears(hearing, greeted + 0.8);

    outdial.listener.hears.push('That is all, bye.');
    outdial.speech.answers.push({ tool: 'end_call' });
    const answered = hearing.soundSeconds();
    await hearing.say(voiceLike(1.6, telephoneRate));
    const endedAt = await momentAtCarrier(invite, 'BYE', 'in');
    expect(hearing.soundSeconds()).toBeGreaterThan(answered + 0.4);

    await callBecomes(outdial, callId, { status: 'ended', summary: 'The callee comes on Monday.' });
    const call = await callNow(outdial, callId);
    expect(call).toMatchObject({ reason: 'agent_hung_up', sipStatusCode: 200, attempts: [{ number: 1 }] });
    expect(call.transcript?.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      'agent: Good day Ada, this is the clinic.',
      'callee: Yes, Monday is fine.',
      'agent: Wonderful, see you on Monday.',
      'callee: That is all, bye.',
      'agent: Goodbye Ada.',
    ]);
    const said = call.transcript?.map(({ at }) => Date.parse(at)) ?? [];
    expect(said).toEqual(said.toSorted((one, other) => one - other));
    expect(said[0]).toBeGreaterThanOrEqual(answeredAt);
    expect(said.at(-1)).toBeLessThanOrEqual(endedAt);

    expect(call.timelog.map(({ status }) => status)).toEqual(['initiated', 'ringing', 'answered', 'ended']);
    const rangAt = await momentAtCarrier(invite, '180', 'out');
    for (const [status, at] of [
      ['ringing', rangAt] as const,
      ['answered', answeredAt] as const,
      ['ended', endedAt] as const,
    ]) {
      expect(Math.abs(momentOf(call, status) - at), status).toBeLessThan(soonMs);
    }
    expect(call.duration).toBeCloseTo((momentOf(call, 'ended') - momentOf(call, 'answered')) / 1000, 2);
  });

  test('ends when the callee hangs up, and the agent stops talking', { timeout }, async () => {
    const callId = await callTo(outdial, line, leaver, { name: 'Bob' });
    const invite = await inviteTo(leaver);
    await hears(carrier.hearing(invite), 0.8);
    const endedAt = await momentAtCarrier(invite, 'BYE', 'out');
    await callBecomes(outdial, callId, { status: 'ended', reason: 'callee_hung_up', sipStatusCode: 200 });
    const call = await callNow(outdial, callId);
    expect(Math.abs(momentOf(call, 'ended') - endedAt)).toBeLessThan(soonMs);
    expect(call.transcript).toMatchObject([{ speaker: 'agent', text: 'Good day Bob, this is the clinic.' }]);
    expect(carrier.invites(leaver)).toHaveLength(1);
  });
});
