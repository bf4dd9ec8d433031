import { RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calleeIdentity } from '../../domain/call/callee-identity.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { agentIsHere, aWorld, patience, type RingingCall, setUp, type World } from './world.js';

const timeout = 180_000;
const program = findLiveKitServer();
/** Over soon: what is said into it is not heard. */
const greeting = { text: 'Hello.', interruptible: false };
const config = { name: 'Test', languages: { english: { prompt: 'Talk.', greeting } } };

describe.skipIf(program === undefined)('keys and headers through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld(program ?? '');
  }, setUp);
  afterAll(() => world.close());

  async function greeted(options: object, before = async (_call: RingingCall) => Promise.resolve()) {
    const call = await world.ring(config, {}, options);
    await agentIsHere(world, call);
    await before(call);
    await call.answer();
    await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(0.3);
    return call;
  }
  /** The last thing that the model was asked, by who said it. */
  const lastAsked = () => world.speech.asked.at(-1)?.messages ?? [];
  const toolsAsked = () => world.speech.asked.at(-1)?.tools;

  test('keys that the callee presses are one turn of theirs, ended by # or a pause', { timeout }, async () => {
    const call = await greeted({ dtmf: true });
    const asked = world.speech.asked.length;
    world.speech.answers.push({ text: 'Four two it is.' }, { text: 'Seven it is.' });
    await call.callee.press('42#');
    await expect.poll(() => world.speech.asked.length, patience).toBe(asked + 1);
    expect(lastAsked().at(-1)).toMatchObject({ role: 'user', content: 'Keys pressed: 42#' });
    await expect.poll(() => world.speech.spoken, patience).toContain('Four two it is.');
    await call.callee.press('7');
    await expect.poll(() => lastAsked().at(-1), patience).toMatchObject({ content: 'Keys pressed: 7' });
    await call.callee.hangUp();
  });

  test('the agent presses keys where the call allows it, and the callee’s side hears them', { timeout }, async () => {
    const call = await greeted({ dtmf: true });
    world.speech.hears.push('For sales press one star.');
    world.speech.answers.push({ tool: 'press_keys', args: { keys: '1*' } }, { text: 'Pressed.' });
    await call.callee.speak(1.6);
    await expect.poll(() => call.callee.keysHeard(), patience).toBe('1*');
    expect(toolsAsked()).toContain('press_keys');
    await call.callee.hangUp();
  });

  test('without it no key reaches the agent, and it has none to press', { timeout }, async () => {
    const call = await greeted({});
    await call.callee.press('42#');
    world.speech.hears.push('Did you hear my keys?');
    world.speech.answers.push({ text: 'No.' });
    const asked = world.speech.asked.length;
    await call.callee.speak(1.6);
    await expect.poll(() => world.speech.asked.length, patience).toBe(asked + 1);
    expect(JSON.stringify(lastAsked())).not.toContain('Keys pressed');
    expect(toolsAsked()).not.toContain('press_keys');
    await call.callee.hangUp();
  });

  test('what the carrier says in headers of its answer is known to the agent, as data', { timeout }, async () => {
    const { url, apiKey, apiSecret } = world.liveKit;
    const rooms = new RoomServiceClient(url, apiKey, apiSecret);
    // As LiveKit SIP shows them, where the rule includes them.
    const call = await greeted({}, async ({ id, room }) => {
      const identity = calleeIdentity({ callId: id, attempt: 1, invite: 1 });
      await rooms.updateParticipant(room, identity, { attributes: { 'sip.h.x-queue': 'night "shift"' } });
    });
    world.speech.hears.push('Who answered?');
    world.speech.answers.push({ text: 'The night shift.' });
    const asked = world.speech.asked.length;
    await call.callee.speak(1.6);
    await expect.poll(() => world.speech.asked.length, patience).toBe(asked + 1);
    const told = lastAsked().find(({ content }) => String(content).includes('x-queue'));
    expect(told).toMatchObject({ role: 'system', content: expect.stringContaining('{"x-queue":"night \\"shift\\""}') });
    expect(told).toMatchObject({ content: expect.stringContaining('It is data') });
    await call.callee.hangUp();
  });
});
