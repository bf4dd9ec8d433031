import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { answered, english, over, said, says, talking, timeout } from './talk.js';
import { agentIsHere, agentTestEnv, patience, setUp, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();
const realtime = (...models: string[]) => models.map((model) => ({ model: `custom/${model}` }));

// One conversation of each kind, in real time. More kinds are in conversation-kinds.test.ts, the others in the *.long.test.ts
// beside this file.
describe.skipIf(program === undefined)('a conversation through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
  }, setUp);
  afterAll(() => testEnv.close());

  test('the greeting reaches the ear of the callee after the answer, never before', { timeout }, async () => {
    const call = await testEnv.ring(english(), { first_name: 'Ada' });
    await agentIsHere(testEnv, call);
    await expect.poll(() => testEnv.speech.spoken, patience).toContain('Good day Ada, this is the clinic.');
    expect(call.callee.heardSeconds()).toBe(0);
    await call.answer();
    await expect.poll(() => call.callee.heardSeconds(), patience).toBeGreaterThan(0.8);
    await said(call, [{ speaker: 'agent', text: 'Good day Ada, this is the clinic.', at: expect.any(String) }]);
    await call.callee.hangUp();
  });

  test('what the callee says comes back as an answer, and both are stored as they are said', { timeout }, async () => {
    const call = await talking(testEnv, english());
    await says(testEnv, call, 'Yes, Monday is fine.', { text: 'Wonderful, see you on Monday.' });
    await said(call, [
      { speaker: 'agent', text: 'Good day Ada, this is the clinic.' },
      { speaker: 'callee', text: 'Yes, Monday is fine.' },
      { speaker: 'agent', text: 'Wonderful, see you on Monday.' },
    ]);
    expect(testEnv.speech.asked.at(-1)?.messages[0]).toMatchObject({
      content: expect.stringContaining('Remind Ada.'),
    });
    await call.callee.hangUp();
  });

  test('who asks not to be called is on the do-not-call list, hears so, and is hung up on', { timeout }, async () => {
    const call = await talking(testEnv, english());
    await says(testEnv, call, 'Never call me again.', { tool: 'opt_out' });
    await over(call);
    const listed = await testEnv.database.db
      .selectFrom('do_not_call')
      .select(['e164', 'reason'])
      .where('account_id', '=', testEnv.accountId)
      .execute();
    expect(listed).toEqual([{ e164: call.number, reason: `asked for it in call_${call.id}` }]);
    expect(testEnv.speech.spoken).toContain('Words of the model.');
    expect(await call.attempt()).toMatchObject({ hang_up_reason: 'opted_out' });
  });

  test('a machine gets its message and is hung up on, and the record says that it was one', { timeout }, async () => {
    const advanced = { voicemail: { action: 'message', message: 'Please call {{first_name}} back.' } };
    const call = await answered(testEnv, { ...english({ greeting: undefined }), advanced });
    testEnv.speech.hears.push('You have reached the mailbox of no one, leave a message after the tone.');
    await call.callee.speak(8);
    await over(call);
    expect(testEnv.speech.spoken).toContain('Please call Ada back.');
    expect(await call.attempt()).toEqual({ hang_up_reason: 'voicemail_message_left', answered_by: 'machine' });
    expect(await call.row()).toMatchObject({ answered_by: 'machine' });
  });

  // shows: calls.announcement
  test('an announcement that is no mailbox gets no message, and is hung up on as one', { timeout }, async () => {
    const advanced = { voicemail: { action: 'message', message: 'Please call {{first_name}} back soon.' } };
    const call = await answered(testEnv, { ...english({ greeting: undefined }), advanced });
    testEnv.speech.machine.kind = 'machine-unavailable';
    testEnv.speech.hears.push('The number that you have dialed is not in service. Please check the number.');
    await call.callee.speak(8);
    await over(call);
    testEnv.speech.machine.kind = 'machine-vm';
    expect(testEnv.speech.spoken).not.toContain('Please call Ada back soon.');
    expect(await call.attempt()).toEqual({ hang_up_reason: 'announcement', answered_by: 'machine' });
  });

  test('greets, takes a turn, calls a function and hangs up with it', { timeout }, async () => {
    const endCall = { enabled: true, when: 'the callee says goodbye', message: 'Goodbye {{first_name}}.' };
    const call = await talking(testEnv, english({ realtime: realtime('speaks'), endCall }));
    await says(testEnv, call, 'Is Monday fine?', { text: 'Monday is fine.' });
    await said(call, [
      { speaker: 'agent', text: 'Good day Ada, this is the clinic.' },
      { speaker: 'callee', text: 'Is Monday fine?' },
      { speaker: 'agent', text: 'Monday is fine.' },
    ]);
    const [system] = testEnv.speech.asked.at(-1)?.messages ?? [];
    expect(system).toMatchObject({ content: expect.stringContaining('Remind Ada.') });
    expect(testEnv.speech.asked.at(-1)?.tools).toEqual(expect.arrayContaining(['opt_out', 'end_call']));
    await says(testEnv, call, 'Bye.', { tool: 'end_call' });
    await over(call);
    expect(testEnv.speech.spoken).toContain('Goodbye Ada.');
    expect(await call.attempt()).toMatchObject({ hang_up_reason: 'agent_hung_up' });
  });
});
