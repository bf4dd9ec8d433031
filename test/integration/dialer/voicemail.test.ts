import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountUsage } from '../../../db/queries/accounts/usage.js';
import { auditBatch } from '../../../db/queries/audit/batches.js';
import { auditCalls } from '../../../db/queries/audit/calls.js';
import { dialerTestEnv, until, type DialerTestEnv } from './test-env.js';

const machine = { kind: 'answer', talkSeconds: 10, answeredBy: 'machine', endedBy: 'agent' } as const;
const person = { kind: 'answer', talkSeconds: 20, answeredBy: 'human', endedBy: 'callee' } as const;
const [mailboxFirst, mailboxOnly, announced] = ['+15550170001', '+15550170002', '+15550170003'];

let testEnv: DialerTestEnv;
beforeAll(async () => {
  const answering = { ringAfterSeconds: 0, answerAfterSeconds: 0 };
  const numbers = {
    [mailboxFirst]: [
      { ...machine, ...answering },
      { ...person, ...answering },
    ],
    [mailboxOnly]: [{ ...machine, ...answering }],
    [announced]: [
      { kind: 'announcement' as const, ...answering, talkSeconds: 5 },
      { ...person, ...answering },
    ],
  };
  testEnv = await dialerTestEnv({ scenario: { numbers } });
});
afterAll(() => testEnv.close());

// shows: retry.voicemail, calls.announcement, analysis.made
test('a mailbox and an announcement are called again by the plan; what their calls used stays used', async () => {
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway, { retryOn: ['voicemail', 'missed'], retryDelaysSeconds: [1] });
  const ids = await testEnv.calls(gateway, batchId, [mailboxFirst, mailboxOnly, announced]);
  const plain = await testEnv.batch(gateway, { retryOn: ['missed'], retryDelaysSeconds: [1] });
  const [once = ''] = await testEnv.calls(gateway, plain, [mailboxOnly.replace('0002', '0009')]);
  await sql`alter table agent_versions disable trigger user`.execute(db);
  await sql`update agent_versions set analyzes = true`.execute(db);
  await testEnv.dialer();
  const played = new Set<string>();
  await until(async () => {
    for (const [callId, attempt, next] of testEnv.told) {
      const key = `${callId} ${attempt}`;
      if (next === null || played.has(key)) continue;
      played.add(key);
      await testEnv.queue(callId, attempt + 1, new Date(next));
    }
    const { rows } = await sql<{ open: number }>`select count(*)::int as open from calls where not settled`.execute(db);
    return rows[0]?.open === 0;
  });

  const { rows } = await sql`
    select c.to_number, c.status, c.answered_by, c.reason, c.attempts_made,
      (select array_agg(a.outcome || ' ' || coalesce(a.answered_by, '') order by a.number) from call_attempts a
        where a.call_id = c.id) as ends
    from calls c where c.id = any (${[...ids, once]}::uuid[]) order by c.to_number`.execute(db);
  const talked = { status: 'answered', answered_by: 'human', reason: 'callee_hung_up', attempts_made: 2 };
  expect(rows).toEqual([
    { to_number: mailboxFirst, ...talked, ends: ['answered machine', 'answered human'] },
    {
      ...{ to_number: mailboxOnly, status: 'answered', answered_by: 'machine', reason: 'agent_hung_up' },
      ...{ attempts_made: 2, ends: ['answered machine', 'answered machine'] },
    },
    { to_number: announced, ...talked, ends: ['missed machine', 'answered human'] },
    expect.objectContaining({ answered_by: 'machine', attempts_made: 1, ends: ['answered machine'] }),
  ]);

  // A machine's call is not analyzed, nor one that is called again.
  const { rows: started } = await sql<{ callId: string }>`
    select input ->> 'callId' as "callId" from outbox where name = 'analyzeCall'`.execute(db);
  expect(started.map(({ callId }) => callId).sort()).toEqual([ids[0], ids[2]].sort());

  const { rows: seconds } = await sql<{ talked: number }>`
    select sum(extract(epoch from ended_at - answered_at))::float8 as talked from call_attempts
    where outcome = 'answered'`.execute(db);
  const { today } = await accountUsage(db, testEnv.accountId, new Date());
  expect(today).toMatchObject({ attempts: 7, answered: 6 });
  expect(today.talkSeconds).toBeCloseTo(seconds[0]?.talked ?? 0, 3);

  const scope = { accountId: testEnv.accountId, since: null };
  for (const id of [batchId, plain]) {
    expect(await auditBatch(db, { accountId: testEnv.accountId, id }, null)).toEqual([]);
  }
  expect((await auditCalls(db, scope, null)).violations).toEqual([]);
});
