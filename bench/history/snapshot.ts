import { sql } from 'kysely';
import type { Db } from '../../db/client.js';
import { oldestHeldSnapshot } from '../../db/queries/upkeep/held-snapshot.js';
import { median, type Result } from '../result.js';
import { aDialer, type DialedSteps } from './dialing.js';
import type { Line } from './tenants.js';

const judged = ['claim', 'gate'] as const;
type Milliseconds = Record<(typeof judged)[number], number[]>;

/**
 * What a transaction that is held open, such as that of a pg_dump, does to admission: calls are dialed one handful after the
 * other, before it and beside it. Whatever the queue changes meanwhile stays as a dead row that nothing may clean up.
 *
 * @param seconds how long the transaction is held; what is measured is the last tenth
 */
export async function measureHeldSnapshot(db: Db, line: Line, seconds: number): Promise<readonly Result[]> {
  const dialer = await aDialer(db, line);
  await dialFor(dialer.dialNext, 2);
  const before = await dialFor(dialer.dialNext, seconds / 10);
  const { beside, dead, told } = await db.connection().execute(async (holder) => {
    await sql`begin isolation level repeatable read read only`.execute(holder);
    try {
      // The connections of the service end such a transaction; pg_dump's does not.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(holder);
      // The snapshot is taken by the first statement.
      await sql`select 1 from batches limit 1`.execute(holder);
      await dialFor(dialer.dialNext, seconds * 0.9);
      const late = await dialFor(dialer.dialNext, seconds / 10);
      return { beside: late, dead: await deadAttempts(db), told: await oldestHeldSnapshot(db) };
    } finally {
      await sql`rollback`.execute(holder);
    }
  });
  const metric = told === null ? 'the metric says nothing' : `the metric says ${Math.round(told.seconds)} s`;
  return judged.map((step) => ({
    ...{
      name: `history: ${step} beside a held snapshot`,
      value: median(beside[step]) / median(before[step]),
      unit: '×',
    },
    aim: { atMost: 2 },
    note:
      `${median(beside[step]).toFixed(2)} ms ÷ ${median(before[step]).toFixed(2)} ms without, after ${seconds} s and ` +
      `${dialer.calls()} calls; ${dead} dead attempts; ${metric}`,
  }));
}

async function dialFor(dialNext: () => Promise<DialedSteps>, seconds: number): Promise<Milliseconds> {
  const took: Milliseconds = { claim: [], gate: [] };
  const untilMs = performance.now() + seconds * 1_000;
  do {
    const steps = await dialNext();
    for (const step of judged) took[step].push(steps[step]);
  } while (performance.now() < untilMs);
  return took;
}

async function deadAttempts(db: Db): Promise<number> {
  const { rows } = await sql<{ dead: number }>`
    select n_dead_tup::float8 as dead from pg_stat_user_tables where relname = 'call_attempts'`.execute(db);
  return rows[0]?.dead ?? 0;
}
