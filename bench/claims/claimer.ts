import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, openDatabase } from '../../db/client.js';
import { type ClaimedAttempt, claimAttempts, nextClaimInMs } from '../../db/queries/dialer/claim-attempts.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { Order, type Report } from './messages.js';

const mostPerClaim = 200; // as the dialer asks
const longestWaitMs = 20;
/** So many claims in a row that bring nothing: the gateways are full. They are looked at again every second. */
const emptyClaims = 100;

const say = (report: Report): void => void process.send?.(report);

/**
 * The claiming half of a dialer, as a process that `measure.ts` forks. While draining, attempts end as soon as
 * they are claimed, by one plain update: what is measured is admission, not calling.
 */
function main(url: string): void {
  const database = openDatabase({ url, poolSize: 2, name: 'bench-claimer' });
  const { db } = database;
  const processId = randomUUID();
  let order: Order = 'stop';
  let working = Promise.resolve();

  async function fill(): Promise<void> {
    for (let empty = 0; empty < emptyClaims;) {
      const claimed = await claimAttempts(db, processId, mostPerClaim);
      empty = claimed.length > 0 ? 0 : empty + 1;
      if (claimed.length === 0) await delay(longestWaitMs);
    }
  }

  async function drain(): Promise<void> {
    while (order === 'drain') {
      const startedMs = performance.now();
      const claimed = await claimAttempts(db, processId, mostPerClaim);
      if (claimed.length === 0) {
        await delay(Math.min(longestWaitMs, Math.max(1, (await nextClaimInMs(db)) ?? longestWaitMs)));
        continue;
      }
      say({ kind: 'claimed', attempts: claimed.length, milliseconds: performance.now() - startedMs });
      await end(db, claimed);
    }
  }

  process.on('message', (message) => {
    order = Order.parse(message);
    if (order === 'stop') return; // drain() sees it
    const work = order === 'fill' ? fill : drain;
    working = working.then(work).then(() => say({ kind: 'done' }));
    working.catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  });
  process.once('disconnect', () => {
    order = 'stop';
    void working.then(() => database.close());
  });
}

async function end(db: Db, attempts: readonly ClaimedAttempt[]): Promise<void> {
  await sql`
    update call_attempts a set phase = 'ended', outcome = 'answered', ended_at = clock_timestamp(),
      reported_at = clock_timestamp()
    from unnest(${attempts.map(({ callId }) => callId)}::uuid[], ${attempts.map(({ attempt }) => attempt)}::smallint[])
      as z (call_id, number)
    where a.call_id = z.call_id and a.number = z.number`.execute(db);
  await wakeGateways(
    db,
    attempts.map(({ gatewayId }) => gatewayId),
  );
}

const [, , url] = process.argv;
if (url === undefined) throw new Error('A claimer needs the URL of a database.');
main(url);
