import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { voiceLike } from '../../agent/test/voice-like.js';
import type { Carrier, Play } from './carrier.js';
import { callBecomes, callTo, connectLine, patience } from './customer.js';
import { type Exchange, startExchange } from './exchange.js';
import { type Hearing, telephoneRate } from './rtp-ear.js';
import { canTalk, type Outdial, withRealAgents } from './service.js';

const timeout = 180_000;
/** Over soon: what is said into it is not heard. */
const greeting = { text: 'Hello.', interruptible: false };
const [presser, menu, mute] = ['+15550400001', '+15550400002', '+15550400003'];
const answers: Play = {
  ...{ rings: 180, afterMs: 3_000, finally: 200 },
  headers: ['X-Queue: night shift'],
};

describe.skipIf(!canTalk)(withRealAgents('keys and headers by telephone'), () => {
  let exchange: Exchange;
  let outdial: Outdial;
  let carrier: Carrier;

  beforeAll(async () => {
    exchange = await startExchange({ [presser]: answers, [menu]: answers, [mute]: answers }, 2);
    ({ outdial, carrier } = exchange);
  }, 2 * timeout);
  afterAll(async () => {
    await exchange.close();
  }, timeout);
  beforeEach((context) => exchange.stack.tellLogsOnFailure(context));

  /** Calls, and has been greeted. @returns the callee's ear, and how to hang up */
  async function greeted(
    to: string,
    gateway: object,
  ): Promise<{ readonly hearing: Hearing; readonly hangUp: () => Promise<void> }> {
    const line = await connectLine(outdial, carrier, { greeting }, gateway);
    const { body } = await outdial.request(
      'GET',
      `/v2/sip/routing-rule?search=${encodeURIComponent(line.phoneNumber)}`,
    );
    const [rule] = body.data as { id: string }[];
    await outdial.request('PATCH', `/v2/sip/routing-rule/${rule?.id}`, { includeHeaders: 'SIP_X_HEADERS' });
    const callId = await callTo(outdial, line, to);
    await expect.poll(() => carrier.invites(to), patience).toHaveLength(1);
    const invite = carrier.invites(to)[0]!;
    const hearing = carrier.hearing(invite);
    await expect.poll(() => hearing.soundSeconds(), patience).toBeGreaterThan(0.35);
    return {
      hearing,
      hangUp: async () => {
        carrier.goOn(invite);
        await callBecomes(outdial, callId, { status: 'ended' });
      },
    };
  }
  const lastAsked = () => outdial.speech.asked.at(-1);

  // shows: call.rule-decides
  test('keys of the callee’s telephone reach the agent if the gateway lets them', { timeout }, async () => {
    const { hearing, hangUp } = await greeted(presser, { enableDtmf: true });
    outdial.speech.answers.push({ text: 'Four two it is.' });
    for (const key of '42#') hearing.press(key);
    await expect
      .poll(() => lastAsked()?.messages.at(-1), patience)
      .toMatchObject({
        ...{ role: 'user', content: 'Keys pressed: 42#' },
      });
    await expect.poll(() => outdial.speech.spoken, patience).toContain('Four two it is.');
    // What the carrier said when it answered is known too.
    expect(JSON.stringify(lastAsked()?.messages)).toMatch(/x-queue.{3,9}night shift/i);
    await hangUp();
  });

  test('keys that the agent presses arrive as telephone events', { timeout }, async () => {
    const { hearing, hangUp } = await greeted(menu, { enableDtmf: true });
    outdial.listener.hears.push('For sales press one star.');
    outdial.speech.answers.push({ tool: 'press_keys', args: { keys: '1*' } }, { text: 'Pressed.' });
    await hearing.say(voiceLike(1.6, telephoneRate));
    await expect.poll(() => hearing.keysHeard(), patience).toBe('1*');
    await hangUp();
  });

  test(
    'if neither rule, gateway nor call allows it, keys are not heard and cannot be pressed',
    { timeout },
    async () => {
      const { hearing, hangUp } = await greeted(mute, {});
      for (const key of '42#') hearing.press(key);
      const asked = outdial.speech.asked.length;
      outdial.listener.hears.push('Did you hear my keys?');
      outdial.speech.answers.push({ text: 'No.' });
      await hearing.say(voiceLike(1.6, telephoneRate));
      await expect.poll(() => outdial.speech.asked.length, patience).toBeGreaterThan(asked);
      expect(JSON.stringify(lastAsked()?.messages)).not.toContain('Keys pressed');
      expect(lastAsked()?.tools).not.toContain('press_keys');
      await hangUp();
    },
  );
});
