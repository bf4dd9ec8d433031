import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockCall } from '../../db/queries/calls/control.js';
import { orderTransfer } from '../../db/queries/calls/order-transfer.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { desk, openTransferDesk, type TransferDesk } from './transfer-desk.js';
import { english, says, talking, timeout } from './talk.js';
import { agentIsHere, agentTestEnv, patience, setUp, type AgentTestEnv, type RingingCall } from './test-env.js';

const program = findLiveKitServer();

describe.skipIf(program === undefined)('a warm transfer through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  let office: TransferDesk;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
    office = await openTransferDesk(testEnv);
  }, setUp);
  afterAll(async () => {
    await office.close();
    await testEnv.close();
  });

  async function aTalk(advanced: object = {}): Promise<RingingCall> {
    const call = await talking(testEnv, { ...english(), advanced });
    await office.adopt(call);
    return call;
  }
  /** As POST /v2/sip/call/transfer does it. */
  const transfer = ({ id }: RingingCall) =>
    testEnv.database.db.transaction().execute(async (tx) => {
      await lockCall(tx, testEnv.accountId, id);
      await orderTransfer(tx, { accountId: testEnv.accountId, callId: id, to: desk, mode: 'warm' });
    });
  const transferOf = async ({ id }: RingingCall) =>
    (
      await testEnv.database.pool.query<{ status: string; message: string | null; code: number | null }>(
        'select status, message, sip_status_code as code from call_transfers where call_id = $1 order by id desc',
        [id],
      )
    ).rows[0];
  const becomes = (call: RingingCall, status: string) =>
    expect.poll(async () => (await transferOf(call))?.status, patience).toBe(status);
  const called = async (count: number) => {
    await expect.poll(() => office.telephones.length, patience).toBe(count);
    return office.telephones.at(-1)!.telephone;
  };
  /** The callee hears nothing any more, and has heard out what was said before. */
  async function isOnHold(call: RingingCall): Promise<number> {
    await expect
      .poll(async () => ['calling', 'held'].includes((await transferOf(call))?.status ?? ''), patience)
      .toBe(true);
    return call.callee.heardSeconds();
  }

  // shows: calls.transfer.warm
  test(
    'the colleague hears the summary, the callee nothing of it; with the yes both hear each other, and one who hangs up ends both',
    { timeout },
    async () => {
      office.colleague = 'picks up';
      const before = office.telephones.length;
      const call = await aTalk();
      await says(testEnv, call, 'I want to cancel my contract.', { text: 'Let me see what I can do.' });
      await expect.poll(() => testEnv.speech.spoken, patience).toContain('Let me see what I can do.');
      await transfer(call);
      const colleague = await called(before + 1);
      expect(office.telephones.at(-1)).toMatchObject({ to: desk, from: '+15550100001' });
      const heardOnHold = await isOnHold(call);
      await expect.poll(() => colleague.heardSeconds(), patience).toBeGreaterThan(0.5);
      // What was said is known to the model that speaks with the colleague.
      expect(JSON.stringify(testEnv.speech.asked.at(-1)?.messages)).toContain('I want to cancel my contract.');
      // The callee speaks on hold: nobody hears it.
      await call.callee.speak(1);
      testEnv.speech.hears.push('Yes, put them through.');
      testEnv.speech.answers.push({ tool: 'take_call' });
      await colleague.speak(1.6);
      await becomes(call, 'transferred');
      expect(call.callee.heardSeconds()).toBeLessThanOrEqual(heardOnHold + 0.1);

      const [ofCallee, ofColleague] = [call.callee.heardSeconds(), colleague.heardSeconds()];
      await expect
        .poll(async () => {
          await colleague.speak(0.5);
          return call.callee.heardSeconds();
        }, patience)
        .toBeGreaterThan(ofCallee + 0.3);
      await expect
        .poll(async () => {
          await call.callee.speak(0.5);
          return colleague.heardSeconds();
        }, patience)
        .toBeGreaterThan(ofColleague + 0.3);
      expect(office.invites).toHaveLength(before + 1);

      await colleague.hangUp();
      await expect.poll(() => call.callee.isGone(), patience).toBe(true);
      expect((await call.attempt()).hang_up_reason).toBe('transferred');
    },
  );

  test('a colleague who is busy: the agent comes back to the callee and goes on', { timeout }, async () => {
    office.colleague = 'is busy';
    const invites = office.invites.length;
    const call = await aTalk();
    testEnv.speech.answers.length = 0;
    await transfer(call);
    await becomes(call, 'failed');
    expect(await transferOf(call)).toMatchObject({ code: 486, message: expect.stringContaining('486') });
    await expect
      .poll(() => JSON.stringify(testEnv.speech.asked.at(-1)?.messages), patience)
      .toContain('could not take the call');
    await says(testEnv, call, 'All right.', { text: 'Then I will note it.' });
    await expect.poll(() => testEnv.speech.spoken, patience).toContain('Then I will note it.');
    expect(office.invites).toHaveLength(invites + 1);
    await call.callee.hangUp();
  });

  test('a colleague who does not want it is left, and the agent of its config comes back', { timeout }, async () => {
    office.colleague = 'picks up';
    const before = office.telephones.length;
    const call = await aTalk({ transfer: { to: desk, mode: 'warm' } });
    await says(testEnv, call, 'Let me talk to a person.', { tool: 'transfer_to_person' });
    const colleague = await called(before + 1);
    await expect.poll(() => colleague.heardSeconds(), patience).toBeGreaterThan(0.5);
    await colleague.press('2');
    await becomes(call, 'failed');
    await expect.poll(() => colleague.isGone(), patience).toBe(true);
    expect((await transferOf(call))?.message).toContain('declined');
    await says(testEnv, call, 'Never mind.', { text: 'I am still here.' });
    await expect.poll(() => testEnv.speech.spoken, patience).toContain('I am still here.');
    await call.callee.hangUp();
  });

  test('a callee who hangs up on hold: the colleague’s telephone stops ringing', { timeout }, async () => {
    office.colleague = 'rings';
    const before = office.telephones.length;
    const call = await aTalk();
    await transfer(call);
    const colleague = await called(before + 1);
    await call.callee.hangUp();
    await expect.poll(() => colleague.isGone(), patience).toBe(true);
    await becomes(call, 'failed');
  });

  test(
    'an agent that dies after the joining is replaced: both hear each other again, nobody is called twice',
    { timeout },
    async () => {
      office.colleague = 'picks up';
      const before = office.telephones.length;
      const call = await aTalk();
      await transfer(call);
      const colleague = await called(before + 1);
      await expect.poll(() => colleague.heardSeconds(), patience).toBeGreaterThan(0.5);
      await colleague.press('1');
      await becomes(call, 'transferred');
      await call.loseAgent();
      await testEnv.dispatch(call);
      await agentIsHere(testEnv, call);
      const heard = call.callee.heardSeconds();
      await expect
        .poll(async () => {
          await colleague.speak(0.5);
          return call.callee.heardSeconds();
        }, patience)
        .toBeGreaterThan(heard + 0.3);
      expect(office.invites.filter((to) => to === desk)).toHaveLength(office.invites.length);
      expect(office.telephones).toHaveLength(before + 1);
      await call.callee.hangUp();
      await expect.poll(() => colleague.isGone(), patience).toBe(true);
    },
  );
});
