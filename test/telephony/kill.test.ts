import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasAgentWorker } from '../../db/queries/dialer/agent-slots.js';
import type { Carrier } from './carrier.js';
import {
  type CallDetail,
  callBecomes,
  callNow,
  callTo,
  connectLine,
  isCompleted,
  type Line,
  patience,
  recordsOf,
  startBatch,
} from './customer.js';
import { type Exchange, startExchange } from './exchange.js';
import { canTalk, type Outdial, withRealAgents } from './service.js';

const timeout = 240_000;
const answersLate = '+15550400001';
const declinesLate = '+15550400002';
const ringsOut = '+15550400003';
const leaves = '+15550400004';
const listens = '+15550400005';
const answersAtOnce = '+15550400006';
const loses = '+15550400007';
const comesAfter = '+15550400008';
const stays = '+15550400009';

/** Long enough that an agent is there on a busy machine too. */
const rings = { rings: 180, afterMs: 12_000 } as const;
const telephones = {
  [answersLate]: { rings: 180, afterMs: 25_000, finally: 200, hangsUpAfterMs: 15_000 },
  [declinesLate]: { rings: 180, afterMs: 25_000, finally: 486, phrase: 'Busy Here' },
  [ringsOut]: { rings: 180 },
  [leaves]: { ...rings, finally: 200, hangsUpAfterMs: 12_000 },
  [stays]: { ...rings, finally: 200 },
  [listens]: { ...rings, finally: 200 },
  [answersAtOnce]: { rings: 180, afterMs: 1_000, finally: 200 },
  [loses]: { ...rings, finally: 200 },
  [comesAfter]: { ...rings, finally: 200, hangsUpAfterMs: 3_000 },
} as const;

describe.skipIf(!canTalk)(withRealAgents('kill -9 in the middle of a call'), () => {
  let exchange: Exchange;
  let outdial: Outdial;
  let carrier: Carrier;
  let line: Line;
  /** The one that runs from the second test on. */
  let dialer: number;

  beforeAll(async () => {
    exchange = await startExchange(telephones, 2);
    ({ outdial, carrier } = exchange);
    const greeting = { text: 'Good day {{name}}, this is the clinic.', interruptible: true };
    line = await connectLine(outdial, carrier, { greeting }, { ringTimeoutSeconds: 30 });
  }, timeout);
  afterAll(async () => {
    await exchange.close();
  }, timeout);
  beforeEach((context) => exchange.stack.tellLogsOnFailure(context));

  const hearingOf = (number: string) => carrier.hearing(carrier.invites(number).at(-1)!);
  const isGreeted = (number: string) =>
    expect
      .poll(() => (carrier.invites(number).length > 0 ? hearingOf(number).soundSeconds() : 0), patience)
      .toBeGreaterThan(0.5);
  const becomes = (callId: string, expected: Partial<Record<keyof CallDetail, unknown>>) =>
    callBecomes(outdial, callId, expected);

  /** The moment of a message of the only call to a number. */
  async function momentOf(number: string, name: string, direction: 'in' | 'out'): Promise<number> {
    const { callId } = carrier.invites(number)[0]!;
    const found = () =>
      carrier.messages().find((each) => each.callId === callId && each.name === name && each.direction === direction);
    await expect.poll(found, patience).toBeDefined();
    return found()!.at.getTime();
  }

  test(
    'of the dialer while telephones ring: the next one dials none of them again and learns how each ended',
    { timeout },
    async () => {
      const numbers = [answersLate, declinesLate];
      const batchId = await startBatch(outdial, line, numbers);
      const areRinging = async () => {
        const records = await recordsOf(outdial, batchId);
        const calls = await Promise.all(records.map(({ callId }) => callNow(outdial, callId)));
        return calls.map(({ status }) => status);
      };
      await expect.poll(areRinging, patience).toEqual(['ringing', 'ringing']);
      await outdial.kill('dialer');
      dialer = await outdial.start('dialer');
      await isCompleted(outdial, batchId);

      expect(await recordsOf(outdial, batchId)).toMatchObject([
        { phoneNumber: answersLate, status: 'answered', attempts: 1, reason: 'callee_hung_up' },
        // What its carrier said went to a dialer that was dead; how it was said tells that the callee declined.
        { phoneNumber: declinesLate, status: 'rejected', attempts: 1, reason: 'sip_code_lost' },
      ]);
      for (const number of numbers) expect(carrier.invites(number), number).toHaveLength(1);
      // The agent was on its way before the dialer died.
      expect(hearingOf(answersLate).soundSeconds()).toBeGreaterThan(0.5);
    },
  );

  test(
    'of the dialer while one callee talks and another telephone rings: a dialer that was there already follows the call to its end',
    { timeout },
    async () => {
      const batchId = await startBatch(outdial, line, [leaves, ringsOut]);
      await isGreeted(leaves);
      const [{ callId } = { callId: '' }] = await recordsOf(outdial, batchId);
      await becomes(callId, { status: 'answered' });
      await outdial.start('dialer');
      await outdial.kill('dialer', dialer);
      await isCompleted(outdial, batchId);

      expect(await recordsOf(outdial, batchId)).toMatchObject([
        { phoneNumber: leaves, status: 'answered', attempts: 1, sipStatusCode: 200, reason: 'callee_hung_up' },
        { phoneNumber: ringsOut, status: 'not-answered', attempts: 1 },
      ]);
      expect(carrier.invites(leaves)).toHaveLength(1);
      expect(carrier.invites(ringsOut)).toHaveLength(1);
      const talkedMs = (await momentOf(leaves, 'BYE', 'out')) - (await momentOf(leaves, '200', 'out'));
      const { duration = 0 } = await callNow(outdial, callId);
      expect(Math.abs(duration * 1000 - talkedMs)).toBeLessThan(3_000);
    },
  );

  test('of the process of a conversation: another agent goes on with it', { timeout }, async () => {
    const callId = await callTo(outdial, line, stays, { name: 'Eve' });
    await isGreeted(stays);
    await becomes(callId, { status: 'answered', transcript: [{ speaker: 'agent' }] });
    const { roomId } = await callNow(outdial, callId);
    outdial.speech.answers.push({ text: 'Sorry, where were we just now?' });
    const heard = hearingOf(stays).soundSeconds();
    process.kill(outdial.conversationIn(roomId), 'SIGKILL');
    await becomes(callId, { transcript: [{ speaker: 'agent' }, { text: 'Sorry, where were we just now?' }] });
    await expect.poll(() => hearingOf(stays).soundSeconds(), patience).toBeGreaterThan(heard + 0.5);
    await outdial.request('POST', '/v2/sip/call/end', { callId });
    await momentOf(stays, 'BYE', 'in');
    await becomes(callId, { status: 'ended', reason: 'ended_by_api' });
    expect(carrier.invites(stays)).toHaveLength(1);
  });

  test(
    'of the only agent worker: its conversation ends soon after it, and the callee is hung up on',
    { timeout },
    async () => {
      const callId = await callTo(outdial, line, listens, { name: 'Ada' });
      await isGreeted(listens);
      await outdial.kill('agent');
      const killedAt = Date.now();
      // A conversation outlives its worker by fifteen seconds; from then on no one speaks.
      expect((await momentOf(listens, 'BYE', 'in')) - killedAt).toBeLessThan(30_000);
      await becomes(callId, { status: 'ended', reason: 'agent_lost', sipStatusCode: 200 });
      expect(carrier.invites(listens)).toHaveLength(1);
    },
  );

  test(
    'of the agent worker before the answer: the call is hung up within seconds and counts as abandoned',
    { timeout },
    async () => {
      await expect.poll(() => hasAgentWorker(outdial.database.db, 'default'), patience).toBe(true);
      const callId = await callTo(outdial, line, answersAtOnce, { name: 'Bob' });
      await becomes(callId, { status: 'abandoned', reason: 'agent_missing', sipStatusCode: 200 });
      const silentMs = (await momentOf(answersAtOnce, 'BYE', 'in')) - (await momentOf(answersAtOnce, '200', 'out'));
      expect(silentMs).toBeLessThan(6_000);
      expect(carrier.invites(answersAtOnce)).toHaveLength(1);
      expect(hearingOf(answersAtOnce).soundSeconds()).toBe(0);
      await outdial.start('agent');
    },
  );

  test('of LiveKit SIP: the call ends with what is known of it, and the next one is made', { timeout }, async () => {
    const callId = await callTo(outdial, line, loses, { name: 'Cleo' });
    await isGreeted(loses);
    await becomes(callId, { status: 'answered' });
    await exchange.stack.sip.kill();
    await exchange.stack.sip.restart();
    await becomes(callId, { status: 'ended', reason: 'connection_lost', sipStatusCode: 200 });
    const next = await callTo(outdial, line, comesAfter, { name: 'Dora' });
    await becomes(next, { status: 'ended', reason: 'callee_hung_up' });
    expect(carrier.invites(loses)).toHaveLength(1);
    expect(carrier.invites(comesAfter)).toHaveLength(1);
  });
});
