import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { answered, english, over, said, says, talking, timeout } from './talk.js';
import { agentTestEnv, patience, setUp, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();
const mailbox = 'You have reached the mailbox of no one, leave a message after the tone.';

describe.skipIf(program === undefined)('how calls end, through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
  }, setUp);
  afterAll(() => testEnv.close());

  /** A machine answers a call whose config says what to do about one. */
  async function machine(voicemail: object) {
    const call = await answered(testEnv, { ...english({ greeting: undefined }), advanced: { voicemail } });
    testEnv.speech.hears.push(mailbox);
    await call.callee.speak(3.5);
    return call;
  }

  test('a machine is hung up on without a word if the config says so', { timeout }, async () => {
    const call = await machine({ action: 'hangup' });
    await over(call);
    expect(await call.attempt()).toEqual({ hang_up_reason: 'voicemail', answered_by: 'machine' });
    expect(call.callee.heardSeconds()).toBeLessThan(0.5);
  });

  test('a message that no voice could say was not left', { timeout }, async () => {
    testEnv.speech.faults.set('Please call us back.', 'error');
    const call = await machine({ action: 'message', message: 'Please call us back.' });
    await over(call);
    expect(await call.attempt()).toEqual({ hang_up_reason: 'voicemail', answered_by: 'machine' });
    expect(JSON.stringify((await call.row()).transcript)).not.toContain('Please call us back.');
  });

  test('a machine is noted and talked to if the config ignores it', { timeout }, async () => {
    testEnv.speech.answers.push({ text: 'Then I call again.' });
    const call = await machine({ action: 'ignore' });
    await expect.poll(async () => (await call.row()).answered_by, patience).toBe('machine');
    await said(call, [{ text: mailbox }, { speaker: 'agent', text: 'Then I call again.' }]);
    expect(await call.attempt()).toEqual({ hang_up_reason: null, answered_by: 'machine' });
    await call.callee.hangUp();
  });

  test('who opts out is not called by the calls that wait for them either', { timeout }, async () => {
    const call = await talking(testEnv, english());
    const waiting = uuidv7();
    const { db } = testEnv.database;
    const parties = { account_id: testEnv.accountId, to_number: call.number, gateway_id: 'gwo_test' };
    const line = { from_number: '+15550100001', rule_id: 'rule_test', metadata: '{}' };
    await db
      .insertInto('calls')
      .values({ id: waiting, ...parties, ...line, status: 'pending' })
      .execute();
    await db
      .insertInto('call_attempts')
      .values({ call_id: waiting, number: 1, ...parties, phase: 'queued', invite: 0, due_at: new Date() })
      .execute();
    await says(testEnv, call, 'Never call me again.', { tool: 'opt_out' });
    await over(call);
    const row = () =>
      db.selectFrom('calls').select(['status', 'reason']).where('id', '=', waiting).executeTakeFirstOrThrow();
    await expect.poll(row, patience).toEqual({ status: 'failed', reason: 'do_not_call' });
  });

  test('a goodbye in the words of the rule ends the call; the rule stands in the prompt', { timeout }, async () => {
    const endCall = { enabled: true, when: 'the callee has confirmed {{day}}' };
    const call = await talking(testEnv, english({ endCall }), { first_name: 'Ada', day: 'Monday' });
    await says(testEnv, call, 'Yes, Monday.', { tool: 'end_call' });
    await over(call);
    const [system] = testEnv.speech.asked.at(-1)?.messages ?? [];
    expect(system?.content).toContain('the callee has confirmed Monday');
    // No words of its own in the config: the model finds some.
    expect(testEnv.speech.spoken.at(-1)).toBe('Words of the model.');
    expect(await call.attempt()).toMatchObject({ hang_up_reason: 'agent_hung_up' });
  });

  test('without the rule there is no function to hang up with', { timeout }, async () => {
    const call = await talking(testEnv, english({ endCall: { enabled: false } }));
    await says(testEnv, call, 'Bye.', { text: 'Bye.' });
    await said(call, [{}, {}, { text: 'Bye.' }]);
    expect(testEnv.speech.asked.at(-1)?.tools).not.toContain('end_call');
    await call.callee.hangUp();
  });

  test('silence is broken after the time of the config, not before', { timeout }, async () => {
    const wakeUp = { enabled: true, afterSeconds: 6, message: 'Are you there, {{first_name}}?' };
    const call = await talking(testEnv, english({ wakeUp }));
    const greetedMs = Date.now();
    await expect.poll(() => testEnv.speech.spoken, patience).toContain('Are you there, Ada?');
    expect(Date.now() - greetedMs).toBeGreaterThan(4_000);
    await said(call, [{}, { speaker: 'agent', text: 'Are you there, Ada?' }]);
    await call.callee.hangUp();
  });
});
