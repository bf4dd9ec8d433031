import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  closeAgentRun,
  isTranscriptOpen,
  openAgentRun,
  storeTimings,
  timingsOfCalls,
} from '../../../db/queries/calls/agent-runs.js';
import { modelUsageOfAccount, modelUsageOfCalls, storeModelUsage } from '../../../db/queries/calls/model-usage.js';
import type { ModelUsage } from '../../../domain/agent/model-usage.js';
import { dialerTestEnv, type Gateway, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
let gateway: Gateway;
let numbers = 0;
beforeAll(async () => {
  testEnv = await dialerTestEnv();
  gateway = await testEnv.gateway();
});
afterAll(() => testEnv.close());

const dialerId = '0190c5e7-0000-7000-8000-000000000000';

/** A call that talks. */
async function talking() {
  const [callId = ''] = await testEnv.calls(gateway, null, [`+1555040${String(++numbers).padStart(4, '0')}`]);
  const leg = { accountId: testEnv.accountId, callId, attempt: 1 };
  const becomes = (phase: 'answered' | 'ended') =>
    testEnv.database.db
      .updateTable('call_attempts')
      .set({
        ...{
          phase,
          invite: 1,
          claimed_by: phase === 'ended' ? null : dialerId,
          room: `room-${callId}`,
          dialed_at: new Date(),
          answered_at: new Date(),
        },
        ...(phase === 'ended' ? { ended_at: new Date(), outcome: 'answered' } : {}),
      })
      .where('call_id', '=', callId)
      .execute();
  await becomes('answered');
  return { leg, callId, becomes };
}

const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, audioSeconds: 0, characters: 0 };
const llm = (inputTokens: number, outputTokens: number): ModelUsage => ({
  ...none,
  ...{ kind: 'llm', model: 'custom/one', inputTokens, outputTokens },
});
const tts = (characters: number, audioSeconds: number): ModelUsage => ({
  ...none,
  ...{ kind: 'tts', model: 'custom/voice', characters, audioSeconds },
});

test('usage is stored as it grows, twice as well as once, and agents that follow each other add up', async () => {
  const { db } = testEnv.database;
  const { leg, callId } = await talking();
  const first = { ...leg, source: '1/AJ_1' };
  await storeModelUsage(db, first, [llm(10, 2)]);
  await storeModelUsage(db, first, [llm(30, 5), tts(20, 1.5)]);
  await storeModelUsage(db, first, [llm(30, 5), tts(20, 1.5)]);
  await storeModelUsage(db, { ...leg, source: '1/AJ_2' }, [llm(7, 1)]);
  await storeModelUsage(db, { ...leg, source: 'summary' }, [llm(100, 50)]);

  const used = await modelUsageOfCalls(db, leg.accountId, [callId]);
  expect(used.get(callId)).toEqual([llm(137, 56), tts(20, 1.5)]);
  expect(await modelUsageOfAccount(db, leg.accountId, new Date())).toEqual({
    today: [llm(137, 56), tts(20, 1.5)],
    thisMonth: [llm(137, 56), tts(20, 1.5)],
  });
  expect(await modelUsageOfCalls(db, 'acc_another', [callId])).toEqual(new Map());
});

test('nothing is counted for another account’s call, nor for one that is gone', async () => {
  const { db } = testEnv.database;
  const { callId } = await talking();
  await storeModelUsage(db, { accountId: 'acc_another', callId, source: '1/AJ_1' }, [llm(10, 2)]);
  expect((await modelUsageOfAccount(db, 'acc_another', new Date())).today).toEqual([]);
});

test('what was used stays used when the call is deleted', async () => {
  const { db } = testEnv.database;
  const { leg, callId } = await talking();
  const before = (await modelUsageOfAccount(db, leg.accountId, new Date())).today;
  await storeModelUsage(db, { ...leg, source: '1/AJ_1' }, [{ ...llm(3, 1), model: 'custom/kept' }]);
  await db.deleteFrom('calls').where('id', '=', callId).execute();
  expect((await modelUsageOfAccount(db, leg.accountId, new Date())).today).toEqual(
    [...before, { ...llm(3, 1), model: 'custom/kept' }].toSorted((a, b) =>
      `${a.kind} ${a.model}`.localeCompare(`${b.kind} ${b.model}`),
    ),
  );
});

test('usage of last month is none of this month’s', async () => {
  const { db } = testEnv.database;
  const { leg } = await talking();
  await storeModelUsage(db, { ...leg, source: '1/AJ_1' }, [llm(1, 1)]);
  const nextMonth = new Date(Date.now() + 32 * 86_400_000);
  expect(await modelUsageOfAccount(db, leg.accountId, nextMonth)).toEqual({ today: [], thisMonth: [] });
});

test('timings of the agents on the last attempt are told together', async () => {
  const { db } = testEnv.database;
  const { leg, callId } = await talking();
  const turn = (second: number, ms: number) => ({ at: `2026-03-02T09:30:0${second}.000Z`, ms });
  const [first, second] = ['AJ_1', 'AJ_2'].map((run) => ({ ...leg, run }));
  await openAgentRun(db, first!);
  await storeTimings(db, first!, { answeredToSpeechMs: 410, turns: [turn(1, 800)] });
  await storeTimings(db, first!, { answeredToSpeechMs: 410, turns: [turn(1, 800), turn(4, 950)] });
  await openAgentRun(db, second!);
  await storeTimings(db, second!, { answeredToSpeechMs: null, turns: [turn(8, 700)] });

  const timings = await timingsOfCalls(db, leg.accountId, [callId]);
  expect(timings.get(callId)).toEqual({ answeredToSpeechMs: 410, turns: [turn(1, 800), turn(4, 950), turn(8, 700)] });
});

test('a transcript is open until the last agent has closed it; one that died before does not hold it open', async () => {
  const { db } = testEnv.database;
  const { leg, callId } = await talking();
  const isOpen = () => isTranscriptOpen(db, leg.accountId, callId);
  expect(await isOpen()).toBe(false);
  await openAgentRun(db, { ...leg, run: 'AJ_died' });
  await openAgentRun(db, { ...leg, run: 'AJ_next' });
  expect(await isOpen()).toBe(true);
  await closeAgentRun(db, { ...leg, run: 'AJ_next' });
  expect(await isOpen()).toBe(false);
});

test('an agent that closes after the call’s end tells the summary, once; before it, the summary sees for itself', async () => {
  const { db } = testEnv.database;
  const told = async (callId: string) =>
    db.selectFrom('outbox').select(['kind', 'name']).where('workflow_id', '=', `call_${callId}/summary`).execute();
  const [early, late] = [await talking(), await talking()];
  await openAgentRun(db, { ...early.leg, run: 'AJ_1' });
  await closeAgentRun(db, { ...early.leg, run: 'AJ_1' });
  await early.becomes('ended');
  expect(await told(early.callId)).toEqual([]);

  await openAgentRun(db, { ...late.leg, run: 'AJ_1' });
  await late.becomes('ended');
  await closeAgentRun(db, { ...late.leg, run: 'AJ_1' });
  await closeAgentRun(db, { ...late.leg, run: 'AJ_1' });
  expect(await told(late.callId)).toEqual([{ kind: 'signal', name: 'transcriptClosed' }]);
});
