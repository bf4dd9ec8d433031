import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { type Database, openDatabase } from '../../../db/client.js';
import { eraseContact } from '../../../db/queries/accounts/erase-contact.js';
import { lockPrices, putPrices } from '../../../db/queries/accounts/prices.js';
import { callRecordAgain } from '../../../db/queries/batches/call-again.js';
import { planCallback } from '../../../db/queries/batches/callback.js';
import { cancelStep } from '../../../db/queries/batches/cancel.js';
import { skipRecord } from '../../../db/queries/batches/skip-record.js';
import { settleAnalysis, storeAnalysis } from '../../../db/queries/calls/analyses.js';
import { storeAnsweredBy } from '../../../db/queries/calls/conversation.js';
import { storeModelUsage } from '../../../db/queries/calls/model-usage.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { settleUndialed } from '../../../db/queries/dialer/settle-undialed.js';
import { emptyCallsOfBatch } from '../../../db/queries/upkeep/retention.js';
import type { ModelPrice } from '../../../domain/account/model-price.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant } from '../../workflow/fixtures.js';
import { endAttempts, moveTo, queuedAttempts } from '../../workflow/play-dialer.js';
import { everyFigureIsTrue } from './every-figure.js';
import { aRunningBatch } from './running-batch.js';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 10, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await own.close();
});

const moves = [
  ...(['queue', 'dial', 'answer', 'end', 'abandon', 'retry', 'settle'] as const),
  ...(['back', 'undialed', 'skip', 'graceful', 'immediate'] as const),
  ...(['again', 'callback', 'learn', 'success', 'failure', 'awaited'] as const),
  ...(['models', 'leg', 'erase', 'empty'] as const),
];
const step = fc.record({
  move: fc.constantFrom(...moves),
  from: fc.nat(3),
  outcome: fc.constantFrom('answered', 'answered', 'failed', 'not-answered', 'rejected', 'missed'),
  amount: fc.integer({ min: 1, max: 999_999 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const unused = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, audioSeconds: 0, characters: 0 };

interface Life {
  readonly accountId: string;
  readonly batchId: string;
  readonly callIds: readonly string[];
  readonly numbers: readonly string[];
}

/** Those of the calls whose attempt was answered: an agent is on it, or was. */
async function talkedTo(callIds: readonly string[], attempt: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select call_id as id from call_attempts
    where call_id = any (${callIds}::uuid[]) and number = ${attempt} and (phase = 'answered' or outcome = 'answered')`.execute(
    database.db,
  );
  return rows.map(({ id }) => id);
}

/** The gate gives an attempt the number that the claim has chosen for it. */
async function fromAnotherNumber({ batchId, numbers }: Life, amount: number): Promise<void> {
  const { db } = database;
  const caller = numbers[amount % numbers.length];
  await sql`
    update call_attempts set caller = ${caller}::text where batch_id = ${batchId} and phase in ('queued', 'claimed')`.execute(
    db,
  );
}
const showNumbers = ({ batchId }: Life) =>
  sql`
    update calls c set from_number = a.caller from call_attempts a
    where c.batch_id = ${batchId} and a.call_id = c.id and a.phase in ('dialing', 'ringing', 'answered')
      and a.caller <> c.from_number`.execute(database.db);

async function live(life: Life, { move, from, outcome, amount }: Step): Promise<void> {
  const { db } = database;
  const { accountId, batchId, callIds } = life;
  const some = callIds.slice(from, from + 3);
  const queued = (await queuedAttempts(db, batchId)).filter(({ callId }) => some.includes(callId));
  const held = some.map((callId) => ({ callId, attempt: 0, to: '', batchId, position: 0 }));
  switch (move) {
    case 'queue': {
      const { rows } = await sql<{ id: string; made: number }>`
        select id, attempts_made as made from calls where id = any(${some}::uuid[])`.execute(db);
      await queueAttempts(
        db,
        { accountId, batchId, attempts: rows.map(({ id, made }) => [id, made + 1] as const) },
        new Date(),
      );
      await fromAnotherNumber(life, amount);
      break;
    }
    case 'dial':
    case 'answer':
      await moveTo(db, queued, move === 'dial' ? 'dialing' : 'answered');
      await showNumbers(life);
      await sql`
        update call_attempts set answered_at = answered_at - make_interval(secs => ${amount / 10_000}),
          dialed_at = dialed_at - make_interval(secs => 200)
        where batch_id = ${batchId} and phase = 'answered'`.execute(db);
      break;
    case 'end':
    case 'abandon':
      await moveTo(db, queued, 'dialing');
      await showNumbers(life);
      await endAttempts(db, held, move === 'end' ? outcome : 'abandoned', amount % 3 === 0 ? 60 : null);
      break;
    case 'settle':
    case 'retry':
      await moveTo(db, queued, outcome === 'answered' ? 'answered' : 'dialing');
      await showNumbers(life);
      await endAttempts(db, queued, outcome, move === 'retry' ? 60 : null);
      break;
    case 'back':
      // An INVITE that was let out and never sent.
      await moveTo(db, queued, 'dialing');
      await showNumbers(life);
      await sql`
        with back as (
          update call_attempts set phase = 'queued', claimed_by = null, reason = 'not_sent'
          where call_id = any (${some}::uuid[]) and phase = 'dialing' returning call_id)
        update calls c set status = case when c.attempts_made = 0 then 'pending' else 'retrying' end
        from back b where c.id = b.call_id and not c.settled`.execute(db);
      break;
    case 'undialed':
      await settleUndialed(db, queued, 'do_not_call');
      break;
    case 'skip':
      for (const callId of some) await db.transaction().execute((tx) => skipRecord(tx, accountId, batchId, callId));
      break;
    case 'graceful':
    case 'immediate':
      await sql`update batches set status = 'cancelling', cancel_mode = ${move} where id = ${batchId}`.execute(db);
      await cancelStep(db, accountId, batchId);
      await sql`update batches set status = 'running', cancel_mode = null where id = ${batchId}`.execute(db);
      break;
    case 'again':
      for (const callId of some)
        await db.transaction().execute((tx) => callRecordAgain(tx, { accountId, batchId, callId }));
      await fromAnotherNumber(life, amount);
      break;
    case 'callback':
      for (const callId of some)
        await db
          .transaction()
          .execute((tx) => planCallback(tx, { accountId, batchId, callId }, new Date(), new Date()));
      break;
    case 'learn':
      for (const callId of some) await storeAnsweredBy(db, { accountId, callId, attempt: 1 + (amount % 2) }, 'human');
      break;
    case 'success':
    case 'failure':
      for (const callId of some) {
        await storeAnalysis(db, { accountId, callId }, { kept: true }, move === 'success');
        await settleAnalysis(db, { accountId, callId }, null);
      }
      break;
    case 'awaited':
      await sql`
        update calls set analysis_until = now() + interval '1 hour'
        where id = any (${some}::uuid[]) and status = 'answered' and settled`.execute(db);
      break;
    case 'models':
      for (const callId of await talkedTo(some, 1 + (amount % 2))) {
        await storeModelUsage(db, { accountId, callId, source: `${1 + (amount % 2)}/run${from}` }, [
          { ...unused, kind: 'llm', model: 'openai/gpt', inputTokens: amount, outputTokens: amount % 977 },
          { ...unused, kind: 'stt', model: 'deepgram/nova', audioSeconds: amount / 7_777 },
        ]);
      }
      break;
    case 'leg':
      await sql`
        insert into call_transfers (call_id, account_id, number, transfer_to, status, country, answered_at, ended_at)
        select c.id, c.account_id, a.number, '+12025550100', 'transferred', 'US', now() - interval '90 seconds', now()
        from calls c join call_attempts a on a.call_id = c.id and a.outcome = 'answered'
        where c.id = any (${some}::uuid[])`.execute(db);
      await sql`
        update call_transfers set left_at = now() where call_id = any (${some}::uuid[]) and left_at is null`.execute(
        db,
      );
      break;
    case 'erase': {
      const { rows } = await sql<{ to: string }>`select to_number as to from calls where id = ${some[0]}`.execute(db);
      const to = rows[0]?.to;
      if (to !== undefined && to !== 'erased' && amount % 2 === 0)
        await db.transaction().execute((tx) => eraseContact(tx, accountId, to));
      break;
    }
    case 'empty':
      if (amount % 4 === 0) await emptyCallsOfBatch(db, { accountId, batchId }, -1);
      break;
  }
}

const unpriced: ModelPrice = {
  ...{ provider: null, model: null, kind: null, perMillionInputTokens: null, perMillionCachedInputTokens: null },
  ...{ perMillionOutputTokens: null, perThousandCharacters: null, perMinute: null },
};

/** Prices of an account, as PUT stores them. */
async function setPrices(accountId: string, country: string | null): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    await lockPrices(tx, accountId, 'USD');
    const price = { gatewayId: null, country, perMinuteMicros: 7_777, incrementSeconds: 1, minimumSeconds: 6 };
    const models = [
      { ...unpriced, provider: 'openai', perMillionInputTokens: 1_777_777, perMillionOutputTokens: 9_999 },
      { ...unpriced, kind: 'stt', perMinute: 4_321 },
    ] as const;
    await putPrices(tx, accountId, { currency: 'USD', calls: [price], models });
  });
}

test('every figure that is shown of a batch and its account is what the rows say, whatever became of its recipients', async () => {
  const { db } = database;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (history) => {
      const tenant = await aTenant(db);
      const { accountId } = tenant;
      await setPrices(accountId, history.length % 3 === 0 ? 'IN' : null);
      const { batchId, callIds } = await aRunningBatch(db, tenant, 6);
      const life = { accountId, batchId, callIds, numbers: [tenant.number, '+12025550111'] };
      for (const each of history) await live(life, each);
      const { rows } = await sql<{ callId: string }>`
        select call_id as "callId" from call_attempts
        where batch_id = ${batchId} and phase in ('dialing', 'ringing', 'answered')`.execute(db);
      await endAttempts(
        db,
        rows.map(({ callId }) => ({ callId, attempt: 0, to: '', batchId, position: 0 })),
        'answered',
      );
      await everyFigureIsTrue(db, accountId, [batchId]);
    }),
    { numRuns: 20, seed: 20_261_128, endOnFailure: true },
  );
});
