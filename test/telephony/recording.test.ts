import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { voiceLike } from '../../agent/test/voice-like.js';
import type { Carrier } from './carrier.js';
import { callBecomes, callNow, callTo, connectLine, patience } from './customer.js';
import { type Exchange, startExchange } from './exchange.js';
import { telephoneRate } from './rtp-ear.js';
import { canTalk, type Outdial, withRealAgents } from './service.js';

const timeout = 180_000;
const callee = '+15550300001';
/** Of a busy machine. */
const lateSeconds = 3;

describe.skipIf(!canTalk)(withRealAgents('the recording of a call by telephone'), () => {
  let exchange: Exchange;
  let outdial: Outdial;
  let carrier: Carrier;

  beforeAll(async () => {
    exchange = await startExchange({ [callee]: { rings: 180, afterMs: 3_000, finally: 200 } }, 1);
    ({ outdial, carrier } = exchange);
  }, 2 * timeout);
  afterAll(async () => {
    await exchange.close();
  }, timeout);
  beforeEach((context) => exchange.stack.tellLogsOnFailure(context));

  // shows: call.rule-decides, calls.recording
  test('has what each side said, when it said it, from the answer to the end', { timeout }, async () => {
    const greeting = { text: 'Good day, this is the clinic.', interruptible: false };
    const line = await connectLine(outdial, carrier, { greeting }, { record: true });
    const callId = await callTo(outdial, line, callee);
    await expect.poll(() => carrier.invites(callee), patience).toHaveLength(1);
    const hearing = carrier.hearing(carrier.invites(callee)[0]!);
    await expect.poll(() => hearing.soundSeconds(), patience).toBeGreaterThan(1);
    expect((await callNow(outdial, callId)).recordingUrl).toBeUndefined();

    outdial.listener.hears.push('What is the time?');
    outdial.speech.answers.push({ text: 'It is time to go home.' });
    const greeted = hearing.soundSeconds();
    const spokenAt = new Date();
    await hearing.say(voiceLike(1.6, telephoneRate));
    await expect.poll(() => hearing.soundSeconds(), patience).toBeGreaterThan(greeted + 0.6);
    const hungUpAt = new Date();
    carrier.goOn(carrier.invites(callee)[0]!);
    await callBecomes(outdial, callId, { status: 'ended' });

    const call = await callNow(outdial, callId);
    const { play } = await import('../../agent/test/recorded-sound.js');
    const recording = async () => {
      const { status, type, bytes } = await outdial.download(call.recordingUrl ?? '');
      expect([status, type]).toEqual([200, 'audio/ogg; codecs=opus']);
      return play(bytes);
    };
    // Its agent writes the end down when the call is over.
    await expect.poll(async () => (await recording()).isEnded, patience).toBe(true);
    const sound = await recording();

    const { callId: sipCallId } = carrier.invites(callee)[0]!;
    const answer = carrier
      .messages()
      .find((each) => each.callId === sipCallId && each.name === '200' && each.direction === 'out');
    const since = (at: Date | undefined) => ((at?.getTime() ?? 0) - (answer?.at.getTime() ?? 0)) / 1_000;
    const first = (side: 'callee' | 'agent'): number => {
      for (let tenth = 0; tenth < sound.seconds * 10; tenth++) {
        if (sound.loudness(side, tenth / 10, (tenth + 1) / 10) > 300) return tenth / 10;
      }
      return NaN;
    };
    expect(Math.abs(sound.seconds - since(hungUpAt))).toBeLessThan(lateSeconds);
    expect(Math.abs(first('agent') - since(hearing.firstSoundAt))).toBeLessThan(lateSeconds);
    expect(Math.abs(first('callee') - since(spokenAt))).toBeLessThan(lateSeconds);
    expect(first('callee')).toBeGreaterThan(first('agent'));
    expect(Math.abs(sound.loudSeconds('agent') - hearing.soundSeconds())).toBeLessThan(1);
    expect(sound.loudSeconds('callee')).toBeGreaterThan(0.8);
    expect(sound.loudSeconds('callee')).toBeLessThan(2.5);
    // The greeting cannot be heard on the callee's channel.
    expect(sound.loudness('callee', first('agent'), first('agent') + 0.8)).toBeLessThan(150);
  });
});
