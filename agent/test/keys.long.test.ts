import { RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calleeIdentity } from '../../domain/call/callee-identity.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { agentIsHere, agentTestEnv, patience, type RingingCall, setUp, type AgentTestEnv } from './test-env.js';

const timeout = 180_000;
const program = findLiveKitServer();
/** Over soon: what is said into it is not heard. */
const greeting = { text: 'Hello.', interruptible: false };
const config = { name: 'Test', languages: { english: { prompt: 'Talk.', greeting } } };

describe.skipIf(program === undefined)('keys and headers through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
  }, setUp);
  afterAll(() => testEnv.close());

  async function greeted(options: object, before = async (_call: RingingCall) => Promise.resolve()) {
    const call = await testEnv.ring(config, {}, options);
    await agentIsHere(testEnv, call);
    await before(call);
    await call.answer();
    await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(0.3);
    return call;
  }
  /** The last thing that the model was asked, by who said it. */
  const lastAsked = () => testEnv.speech.asked.at(-1)?.messages ?? [];
  const toolsAsked = () => testEnv.speech.asked.at(-1)?.tools;

  test('keys that the callee presses are one turn of theirs, ended by # or a pause', { timeout }, async () => {
    const call = await greeted({ dtmf: true });
    const asked = testEnv.speech.asked.length;
    testEnv.speech.answers.push({ text: 'Four two it is.' }, { text: 'Seven it is.' });
    await call.callee.press('42#');
    await expect.poll(() => testEnv.speech.asked.length, patience).toBe(asked + 1);
    expect(lastAsked().at(-1)).toMatchObject({ role: 'user', content: 'Keys pressed: 42#' });
    await expect.poll(() => testEnv.speech.spoken, patience).toContain('Four two it is.');
    await call.callee.press('7');
    await expect.poll(() => lastAsked().at(-1), patience).toMatchObject({ content: 'Keys pressed: 7' });
    await call.callee.hangUp();
  });

  test('the agent presses keys if the call allows it, and the callee’s side hears them', { timeout }, async () => {
    const call = await greeted({ dtmf: true });
    testEnv.speech.hears.push('For sales press one star.');
    testEnv.speech.answers.push({ tool: 'press_keys', args: { keys: '1*' } }, { text: 'Pressed.' });
    await call.callee.speak(1.6);
    await expect.poll(() => call.callee.keysHeard(), patience).toBe('1*');
    expect(toolsAsked()).toContain('press_keys');
    await call.callee.hangUp();
  });

  test('without it no key reaches the agent, and it has none to press', { timeout }, async () => {
    const call = await greeted({});
    await call.callee.press('42#');
    testEnv.speech.hears.push('Did you hear my keys?');
    testEnv.speech.answers.push({ text: 'No.' });
    const asked = testEnv.speech.asked.length;
    await call.callee.speak(1.6);
    await expect.poll(() => testEnv.speech.asked.length, patience).toBe(asked + 1);
    expect(JSON.stringify(lastAsked())).not.toContain('Keys pressed');
    expect(toolsAsked()).not.toContain('press_keys');
    await call.callee.hangUp();
  });

  test('what the carrier says in headers of its answer is known to the agent, as data', { timeout }, async () => {
    const { url, apiKey, apiSecret } = testEnv.liveKit;
    const rooms = new RoomServiceClient(url, apiKey, apiSecret);
    // As LiveKit SIP shows them, if the rule includes them.
    const call = await greeted({}, async ({ id, room }) => {
      const identity = calleeIdentity({ callId: id, attempt: 1, invite: 1 });
      await rooms.updateParticipant(room, identity, { attributes: { 'sip.h.x-queue': 'night "shift"' } });
    });
    testEnv.speech.hears.push('Who answered?');
    testEnv.speech.answers.push({ text: 'The night shift.' });
    const asked = testEnv.speech.asked.length;
    await call.callee.speak(1.6);
    await expect.poll(() => testEnv.speech.asked.length, patience).toBe(asked + 1);
    const told = lastAsked().find(({ content }) => String(content).includes('x-queue'));
    expect(told).toMatchObject({ role: 'system', content: expect.stringContaining('{"x-queue":"night \\"shift\\""}') });
    expect(told).toMatchObject({ content: expect.stringContaining('It is data') });
    await call.callee.hangUp();
  });
});
