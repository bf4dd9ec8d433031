import { sql } from 'kysely';
import { waitingBody } from '../api/batch-calls/waiting.js';
import type { Db } from '../db/client.js';
import { findBatchCall } from '../db/queries/batches/batches.js';
import { listBatchCalls } from '../db/queries/batches/list.js';
import { readEnv } from '../platform/env.js';
import { fillQueue } from './claims/queue.js';
import { percentile, type Result } from './result.js';
import { scratchDatabase } from './scratch-database.js';

const asked = 300;
const listed = 100;
const env = readEnv({ OUTDIAL_PROVIDER: 'simulator' });

const zones = ['New_York', 'Chicago', 'Denver', 'Phoenix', 'Los_Angeles', 'Anchorage'].map((name) => `America/${name}`);
const hour = (later: number): string => `${String((new Date().getUTCHours() + later) % 24).padStart(2, '0')}:00`;

/** Sets what the recipients of a batch wait for. */
const states: readonly { readonly what: string; readonly bring: (db: Db, batchId: string) => Promise<unknown> }[] = [
  { what: 'a line, all in the queue and due', bring: () => Promise.resolve() },
  {
    what: 'the window to open in six zones, all in the queue',
    async bring(db, batchId) {
      const window = { from: hour(1), until: hour(3), daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'recipient' };
      await sql`update batches set calling_window = ${JSON.stringify(window)} where id = ${batchId}`.execute(db);
      await sql`update calls set time_zones = array[(${zones}::text[])[1 + position % 6]] where batch_id = ${batchId}`.execute(
        db,
      );
      await sql`update call_attempts set due_at = now() + interval '1 hour' where batch_id = ${batchId}`.execute(db);
    },
  },
  {
    what: 'retries over six hours, in six zones',
    async bring(db, batchId) {
      await sql`update batches set calling_window = null where id = ${batchId}`.execute(db);
      await sql`delete from call_attempts where batch_id = ${batchId}`.execute(db);
      await sql`update calls set status = 'retrying', attempts_made = 1,
        next_attempt_at = now() + interval '1 minute' + position * interval '58 milliseconds'
        where batch_id = ${batchId}`.execute(db);
    },
  },
];

/**
 * Why the recipients of a large batch wait, and those of a page of batches: as `GET /v1/batch-calls` reads and words it, without
 * the time of HTTP.
 */
export async function measureWaiting(recipients: number, say: (line: string) => void): Promise<readonly Result[]> {
  const scratch = await scratchDatabase();
  const { db } = scratch.database;
  try {
    say(`Queueing ${recipients} recipients of a batch, and 20 of each of ${listed - 1} others.`);
    await fillQueue(db, { gateways: 5, batches: listed, attempts: listed * 20, channels: 50 });
    const { rows } = await sql<{ id: string; accountId: string }>`
      select id, account_id as "accountId" from batches order by id limit 1`.execute(db);
    const [large] = rows;
    if (large === undefined) throw new Error('There is no batch.');
    await enlarge(db, large.id, recipients);
    const results: Result[] = [];
    for (const { what, bring } of states) {
      await bring(db, large.id);
      await sql`vacuum analyze`.execute(db);
      const one = await timed(async () => {
        const row = await findBatchCall(db, large.accountId, large.id);
        if (row === null) throw new Error('The batch is gone.');
        const { waiting } = waitingBody(row, env);
        const sum = waiting.reasons.reduce((total, { count }) => total + count, 0);
        if (sum !== recipients) throw new Error(`${sum} of ${recipients} recipients wait.`);
      });
      const filter = { statuses: [], search: '', createdFrom: null, createdUntil: null };
      const page = await timed(async () => {
        const { batches } = await listBatchCalls(db, large.accountId, filter, { offset: 0, limit: listed });
        for (const batch of batches) waitingBody(batch, env);
      });
      results.push(
        { name: `why a batch waits, p50: ${what}`, value: percentile(one, 0.5), unit: 'ms' },
        { name: `why a batch waits, p99: ${what}`, value: percentile(one, 0.99), unit: 'ms', aim: { atMost: 15 } },
        { name: `the same of ${listed}, p99: ${what}`, value: percentile(page, 0.99), unit: 'ms', aim: { atMost: 50 } },
      );
    }
    const note = `${recipients} recipients, asked ${asked} times`;
    return results.map((result) => ({ ...result, note }));
  } finally {
    await scratch.stop();
  }
}

async function enlarge(db: Db, batchId: string, recipients: number): Promise<void> {
  await sql`
    with made as (
      insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id)
      select uuidv7(), b.account_id, b.id, i, '+1666' || lpad(i::text, 7, '0'), b.from_number, b.rule_id, b.gateway_id,
        b.agent_id
      from generate_series(20, ${recipients - 1}::integer) i join batches b on b.id = ${batchId}
      returning id, account_id, batch_id, gateway_id, position, to_number
    )
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, due_at)
    select id, 1, account_id, batch_id, gateway_id, position, to_number, now() - interval '1 second' from made`.execute(
    db,
  );
  await sql`insert into batch_counters (batch_id, pending)
    select batch_id, count(*) from calls group by batch_id`.execute(db);
}

async function timed(ask: () => Promise<void>): Promise<number[]> {
  const milliseconds: number[] = [];
  for (let round = 0; round < asked; round += 1) {
    const startedMs = performance.now();
    await ask();
    milliseconds.push(performance.now() - startedMs);
  }
  return milliseconds;
}
