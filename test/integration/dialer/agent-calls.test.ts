import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  callForAgent,
  orderAgentHangUp,
  storeAnsweredBy,
  storeTranscript,
} from '../../../db/queries/calls/conversation.js';
import { orderTransfer } from '../../../db/queries/calls/order-transfer.js';
import { announceAgentWorker, withdrawAgentWorker } from '../../../db/queries/agents/workers.js';
import { writeEnds } from '../../../db/queries/dialer/commit-progress.js';
import { regionAgents, regionService, slotsOfRegions } from '../../../db/queries/dialer/agent-slots.js';
import { dialerTestEnv, type Gateway, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
let gateway: Gateway;
let numbers = 0;
beforeAll(async () => {
  testEnv = await dialerTestEnv();
  gateway = await testEnv.gateway();
});
afterAll(() => testEnv.close());

/** A call that talks, as the dialer leaves it. */
async function talking() {
  const { db } = testEnv.database;
  const [callId = ''] = await testEnv.calls(gateway, null, [`+1555030${String(++numbers).padStart(4, '0')}`]);
  const { id: versionId } = await db.selectFrom('agent_versions').select('id').executeTakeFirstOrThrow();
  const room = `call_${callId}_1_1`;
  await db
    .updateTable('call_attempts')
    .set({
      ...{ phase: 'answered', invite: 1, claimed_by: '0190c5e7-0000-7000-8000-000000000000', room },
      ...{ version_id: versionId, dialed_at: new Date(), answered_at: new Date() },
    })
    .where('call_id', '=', callId)
    .execute();
  const rowOf = () =>
    db
      .selectFrom('calls')
      .innerJoin('call_attempts as a', 'a.call_id', 'calls.id')
      .select(['calls.transcript', 'calls.answered_by', 'a.answered_by as attempt_answered_by', 'a.hang_up_reason'])
      .where('calls.id', '=', callId)
      .executeTakeFirstOrThrow();
  return { callId, room, versionId, leg: { accountId: testEnv.accountId, callId, attempt: 1 }, rowOf };
}

/** Ends the leg of an attempt, as the dialer does. */
async function endOf(callId: string, attempt: number, status: 'answered' | 'missed'): Promise<void> {
  const answered = status === 'answered';
  const end = {
    claimId: await testEnv.claimOf(callId, attempt),
    ...{ callId, attempt, invite: 1, status, permanent: false },
    ...{ reason: answered ? ('ended' as const) : ('no_answer' as const), sipStatusCode: null, sipPhrase: null },
    ...{ answeredBy: answered ? ('unknown' as const) : null, ringingAt: null, answeredAt: null },
    ...{
      endedAt: new Date(),
      transcript: null,
      nextAttemptAt: null,
      isCallback: false,
      dependsOnAnalysis: false,
      dropsRetry: false,
    },
  };
  await testEnv.database.db.transaction().execute((tx) => writeEnds(tx, [end], false));
}

test('an agent finds its call by the room, with the version that was pinned when it was dialed', async () => {
  const { callId, room, versionId } = await talking();
  expect(await callForAgent(testEnv.database.db, callId, room)).toMatchObject({ attempt: 1, invite: 1, versionId });
  expect(await callForAgent(testEnv.database.db, callId, 'another-room')).toBeNull();
});

test('an agent that comes when the leg is being hung up finds nothing to do', async () => {
  const { callId, room, leg, rowOf } = await talking();
  expect(await orderAgentHangUp(testEnv.database.db, leg, 'opted_out')).toBe(true);
  expect(await orderAgentHangUp(testEnv.database.db, leg, 'agent_failed')).toBe(true);
  expect(await rowOf()).toMatchObject({ hang_up_reason: 'opted_out' });
  expect(await callForAgent(testEnv.database.db, callId, room)).toBeNull();
});

test('an agent of an earlier attempt does not overwrite what a later one has said', async () => {
  const { leg, rowOf } = await talking();
  await testEnv.database.db.updateTable('calls').set({ attempts_made: 2 }).where('id', '=', leg.callId).execute();
  await storeTranscript(testEnv.database.db, { ...leg, attempt: 2 }, [{ text: 'second \0' }]);
  await storeTranscript(testEnv.database.db, leg, [{ text: 'first' }]);
  expect(await rowOf()).toMatchObject({ transcript: [{ text: 'second ' }] });
});

test('what Postgres cannot store of a line keeps nothing else of the transcript from being stored', async () => {
  const { leg, rowOf } = await talking();
  const lines = ['\0Is there \ud83d', '\ude00a slot?', 'Yes \u{1f600}'].map((text) => ({ speaker: 'callee', text }));
  await storeTranscript(testEnv.database.db, leg, lines);
  expect(await rowOf()).toMatchObject({
    transcript: [{ text: 'Is there ' }, { text: 'a slot?' }, { text: 'Yes \u{1f600}' }],
  });
});

test('an agent of an earlier attempt neither hangs up nor transfers a later one', async () => {
  const { db } = testEnv.database;
  const { callId, leg, rowOf } = await talking();
  await sql`update call_attempts set number = 2 where call_id = ${callId}`.execute(db);
  await sql`update calls set attempts_made = 1 where id = ${callId}`.execute(db);
  expect(await orderAgentHangUp(db, leg, 'callee_silent')).toBe(false);
  const wish = { accountId: leg.accountId, callId, to: '+15550390001' };
  const transfer = (attempt: number) => db.transaction().execute((tx) => orderTransfer(tx, { ...wish, attempt }));
  await expect(transfer(1)).rejects.toThrow('Only an answered call can be transferred');
  expect(await rowOf()).toMatchObject({ hang_up_reason: null });
  await transfer(2);
  expect(await orderAgentHangUp(db, { ...leg, attempt: 2 }, 'agent_hung_up')).toBe(true);
});

test('nothing that two agents of one leg have stored is lost, whichever of them stores last', async () => {
  const { db } = testEnv.database;
  const { callId, room, leg, rowOf } = await talking();
  const line = (second: number, text: string) => ({ text, at: `2026-03-02T09:30:0${second}.000Z` });
  const [hello, when, monday, bye] = [line(1, 'Hello'), line(2, 'When?'), line(3, 'Monday'), line(4, 'Bye')];
  await storeTranscript(db, leg, [hello]);
  await storeTranscript(db, leg, [hello, when]);
  // The second one takes over; then the first, which had stood still, stores what it heard last.
  const { transcript: said } = (await callForAgent(db, callId, room)) ?? {};
  expect(said).toEqual([hello, when]);
  await storeTranscript(db, leg, [hello, when, bye]);
  await storeTranscript(db, leg, [hello, when, monday]);
  expect(await rowOf()).toMatchObject({ transcript: [hello, when, monday, bye] });
  await storeTranscript(db, leg, [hello]);
  expect(await rowOf()).toMatchObject({ transcript: [hello, when, monday, bye] });
});

test.each([
  ['nothing is said', 'answered', null, null],
  ['something is said', 'answered', [{ text: 'second' }], [{ text: 'second' }]],
  ['nobody answers', 'missed', null, [{ text: 'first' }]],
] as const)(
  'what was said before a call is made again is not told of the call in which %s',
  async (_what, status, said, told) => {
    const { db } = testEnv.database;
    const { callId, room, leg, rowOf } = await talking();
    await storeTranscript(db, leg, [{ text: 'first' }]);
    // As calling again and the next dialing leave it.
    await sql`update call_attempts set number = 2, again = true where call_id = ${callId}`.execute(db);
    await sql`update calls set attempts_made = 1, status = 'dialing' where id = ${callId}`.execute(db);
    expect(await callForAgent(db, callId, room)).toMatchObject({ transcript: null });
    if (said !== null) {
      await storeTranscript(db, { ...leg, attempt: 2 }, said);
      // An agent that takes the place of another goes on with its lines.
      expect(await callForAgent(db, callId, room)).toMatchObject({ transcript: said });
    }
    await endOf(callId, 2, status);
    expect(await rowOf()).toMatchObject({ transcript: told });
  },
);

test('who answered, once the agent knows it, is not forgotten at the end of the leg', async () => {
  const { callId, leg, rowOf } = await talking();
  await storeAnsweredBy(testEnv.database.db, leg, 'machine');
  await storeTranscript(testEnv.database.db, leg, [{ text: 'Hello' }]);
  await endOf(callId, 1, 'answered');
  expect(await rowOf()).toMatchObject({
    ...{ answered_by: 'machine', attempt_answered_by: 'machine', transcript: [{ text: 'Hello' }] },
  });
});

test('a region is served by workers with slots, taken or not; without one it is told why', async () => {
  const { db } = testEnv.database;
  const worker = { id: 'worker-1', region: 'default', used: 0 };
  expect(await regionService(db, 'default')).toBe('none');
  await announceAgentWorker(db, { ...worker, slots: 0, state: 'warming' });
  expect(await regionService(db, 'default')).toBe('warming');
  await announceAgentWorker(db, { ...worker, slots: 2, used: 2, state: 'ready' });
  expect(await regionService(db, 'default')).toBe('served');
  expect(await regionAgents(db, 'default')).toEqual({ slots: 2, used: 2, ready: 1, warming: 0, draining: 0 });
  await announceAgentWorker(db, { ...worker, slots: 0, used: 2, state: 'ready' });
  expect(await regionService(db, 'default')).toBe('served');
  await announceAgentWorker(db, { ...worker, slots: 0, used: 1, state: 'draining' });
  expect(await regionService(db, 'default')).toBe('draining');
  expect(await regionService(db, 'elsewhere')).toBe('none');
  await withdrawAgentWorker(db, 'worker-1');
  expect(await regionService(db, 'default')).toBe('none');
});

test('a worker that has not been seen for a while does not count', async () => {
  const { db } = testEnv.database;
  await announceAgentWorker(db, { id: 'worker-2', region: 'default', slots: 2, used: 0, state: 'ready' });
  await sql`update agent_workers set seen_at = clock_timestamp() - interval '21 seconds'`.execute(db);
  expect(await regionService(db, 'default')).toBe('none');
});

test('dialers see the slots of each region and the calls that take them; `auto` is the first', async () => {
  const { db } = testEnv.database;
  await sql`delete from agent_workers`.execute(db);
  const before = (await slotsOfRegions(db, ['default', 'eu']))[0]?.taken ?? 0;
  await talking();
  for (const id of ['worker-3', 'worker-4']) {
    await announceAgentWorker(db, { id, region: 'default', slots: 4, used: 1, state: 'ready' });
  }
  expect(await slotsOfRegions(db, ['default', 'eu'])).toEqual([
    { region: 'default', slots: 8, taken: before + 1 },
    { region: 'eu', slots: 0, taken: 0 },
  ]);
  await sql`update gateways set sip_region = 'auto' where id = ${gateway.id}`.execute(db);
  expect(await slotsOfRegions(db, ['eu', 'default'])).toEqual([
    { region: 'eu', slots: 0, taken: before + 1 },
    { region: 'default', slots: 8, taken: 0 },
  ]);
});
