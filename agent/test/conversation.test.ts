import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { answered, english, greeting, over, said, says, talking, timeout } from './talk.js';
import { agentIsHere, aWorld, patience, setUp, type World } from './world.js';

const program = findLiveKitServer();

describe.skipIf(program === undefined)('a conversation through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld(program ?? '');
  }, setUp);
  afterAll(() => world.close());

  test('the greeting reaches the ear of the callee after the answer, never before', { timeout }, async () => {
    const call = await world.ring(english(), { first_name: 'Ada' });
    await agentIsHere(world, call);
    await expect.poll(() => world.speech.spoken, patience).toContain('Good day Ada, this is the clinic.');
    expect(call.callee.heardSeconds()).toBe(0);
    await call.answer();
    await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(0.8);
    await said(call, [{ speaker: 'agent', text: 'Good day Ada, this is the clinic.', at: expect.any(String) }]);
    await call.callee.hangUp();
  });

  test('what the callee says comes back as an answer, and both are stored as they are said', { timeout }, async () => {
    const call = await talking(world, english());
    await says(world, call, 'Yes, Monday is fine.', { text: 'Wonderful, see you on Monday.' });
    await said(call, [
      { speaker: 'agent', text: 'Good day Ada, this is the clinic.' },
      { speaker: 'callee', text: 'Yes, Monday is fine.' },
      { speaker: 'agent', text: 'Wonderful, see you on Monday.' },
    ]);
    expect(world.speech.asked.at(-1)?.messages[0]).toMatchObject({
      content: expect.stringContaining('Remind Ada.'),
    });
    await call.callee.hangUp();
  });

  test('who asks not to be called is on the do-not-call list, hears so, and is hung up on', { timeout }, async () => {
    const call = await talking(world, english());
    await says(world, call, 'Never call me again.', { tool: 'opt_out' });
    await over(call);
    const listed = await world.database.db
      .selectFrom('do_not_call')
      .select(['e164', 'reason'])
      .where('account_id', '=', world.accountId)
      .execute();
    expect(listed).toEqual([{ e164: call.number, reason: `asked for it in call_${call.id}` }]);
    expect(world.speech.spoken).toContain('Words of the model.');
    expect(await call.attempt()).toMatchObject({ hang_up_reason: 'opted_out' });
  });

  test('the agent says the goodbye of its config and hangs up once', { timeout }, async () => {
    const endCall = { enabled: true, when: 'the callee says goodbye', message: 'Goodbye {{first_name}}.' };
    const call = await talking(world, english({ endCall }));
    await says(world, call, 'That is all, bye.', { tool: 'end_call' });
    await over(call);
    expect(world.speech.spoken).toContain('Goodbye Ada.');
    expect(await call.attempt()).toMatchObject({ hang_up_reason: 'agent_hung_up' });
    await said(call, [{}, { text: 'That is all, bye.' }, { speaker: 'agent', text: 'Goodbye Ada.' }]);
  });

  test('a callee who stays silent is spoken to three times, then hung up on', { timeout }, async () => {
    const wakeUp = { enabled: true, afterSeconds: 0.4, message: 'Still there?' };
    const call = await talking(world, english({ wakeUp }));
    await over(call);
    expect(world.speech.spoken.filter((text) => text === 'Still there?')).toHaveLength(3);
    expect(await call.attempt()).toMatchObject({ hang_up_reason: 'callee_silent' });
  });

  test('another language takes over where the callee asks for it', { timeout }, async () => {
    const config = english();
    const german = { prompt: 'Erinnere {{first_name}}.', greeting };
    const call = await talking(world, { ...config, languages: { ...config.languages, german } });
    const asked = world.speech.asked.length;
    const switches = { tool: 'switch_language', args: { language: 'german' } };
    await says(world, call, 'Können wir deutsch sprechen?', switches, { text: 'Natürlich.' });
    await said(call, [{}, { speaker: 'callee' }, { speaker: 'agent', text: 'Natürlich.' }]);
    const prompts = world.speech.asked.slice(asked).map(({ messages }) => JSON.stringify(messages[0]));
    expect(prompts.some((prompt) => prompt.includes('Erinnere Ada.'))).toBe(true);
    // Whoever takes over knows what was said before.
    expect(JSON.stringify(world.speech.asked.at(-1)?.messages)).toContain('Können wir deutsch sprechen?');
    await call.callee.hangUp();
  });

  test('a machine gets its message and is hung up on, and the record says that it was one', { timeout }, async () => {
    const advanced = { voicemail: { action: 'message', message: 'Please call {{first_name}} back.' } };
    const call = await answered(world, { ...english({ greeting: undefined }), advanced });
    world.speech.hears.push('You have reached the mailbox of nobody, leave a message after the tone.');
    await call.callee.speak(3.5);
    await over(call);
    expect(world.speech.spoken).toContain('Please call Ada back.');
    expect(await call.attempt()).toEqual({ hang_up_reason: 'voicemail_message_left', answered_by: 'machine' });
    expect(await call.row()).toMatchObject({ answered_by: 'machine' });
  });

  test('noise is cancelled where the config asks for it, and speech gets through', { timeout }, async () => {
    const voiceProcessing = { noiseCancellation: { model: 'rnnoise/rnnoise' } };
    const call = await talking(world, { ...english(), voiceProcessing });
    await says(world, call, 'Can you hear me?', { text: 'Loud and clear.' });
    await said(call, [{}, { speaker: 'callee', text: 'Can you hear me?' }, { text: 'Loud and clear.' }]);
    await call.callee.hangUp();
  });

  test('an agent that takes over for one that died goes on, and does not greet again', { timeout }, async () => {
    const call = await talking(world, english());
    const spoken = world.speech.spoken.length;
    await call.loseAgent();
    world.speech.answers.push({ text: 'Sorry, where were we?' });
    await world.dispatch(call);
    await said(call, [
      { speaker: 'agent', text: 'Good day Ada, this is the clinic.' },
      { speaker: 'agent', text: 'Sorry, where were we?' },
    ]);
    expect(world.speech.spoken.slice(spoken)).toEqual(['Sorry, where were we?']);
    await call.callee.hangUp();
  });
});
