import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Db } from '../../db/client.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { percentile, type Result } from '../result.js';
import { scratchDatabase } from '../scratch-database.js';
import { type Order, Report } from './messages.js';
import { fillQueue } from './queue.js';

const gateways = 20;
const batches = 50;
const channels = 50;
const processes = 4;
const sampleEveryMs = 50;

const claimer = fileURLToPath(new URL('./claimer.js', import.meta.url));

/**
 * Admission by itself: how many attempts a second can be claimed out of a long queue by several processes at once.
 *
 * @throws if a limit was not kept: fast and wrong is no figure
 */
export async function measureClaims(
  queued: number,
  wanted: number,
  say: (line: string) => void,
): Promise<readonly Result[]> {
  const scratch = await scratchDatabase();
  const { db } = scratch.database;
  const claimers = Array.from({ length: processes }, () => fork(claimer, [scratch.url]));
  try {
    say(`Queueing ${queued} attempts.`);
    const queue = await fillQueue(db, { gateways, batches, attempts: queued, channels });
    await wakeGateways(db, queue.gatewayIds);
    await Promise.all(claimers.map(async (each) => told(each, 'fill')));
    await expectFull(db);
    await giveBack(db);
    await wakeGateways(db, queue.gatewayIds);

    say(`Claiming ${wanted} of them with ${processes} processes.`);
    const mostLive = watchLive(db);
    const { seconds, claimed, milliseconds } = await drain(claimers, wanted);
    const most = await mostLive();
    if (most > channels) throw new Error(`${most} attempts were live on a gateway of ${channels}.`);
    const note =
      `${queued} queued, ${gateways} gateways of ${channels} calls at once, ${batches} batches, ${processes} processes; ` +
      'no limit exceeded, all reached exactly';
    return [
      { name: 'claims', value: claimed / seconds, unit: 'attempts/s', note },
      {
        name: 'one claim, p50',
        value: percentile(milliseconds, 0.5),
        unit: 'ms',
        note: `${(claimed / milliseconds.length).toFixed(1)} attempts each on average`,
      },
      { name: 'one claim, p99', value: percentile(milliseconds, 0.99), unit: 'ms' },
      {
        name: 'evenness between batches',
        value: await evenness(db),
        unit: '×',
        aim: { atLeast: 0.9 },
        note: 'least served ÷ most served batch of one gateway, the worst gateway',
      },
    ];
  } finally {
    await Promise.all(
      claimers.map(async (each) => {
        if (each.exitCode !== null) return;
        each.disconnect();
        await once(each, 'exit');
      }),
    );
    await scratch.stop();
  }
}

/** Gives an order and resolves when it has been carried out; `onReport` hears all that is said meanwhile. */
async function told(each: ChildProcess, order: Order, onReport: (report: Report) => void = () => undefined) {
  await new Promise<void>((resolve, reject) => {
    const hear = (message: unknown): void => {
      const report = Report.parse(message);
      onReport(report);
      if (report.kind === 'done') settle(resolve);
    };
    const fail = (): void => settle(() => reject(new Error('A claimer ended; its words are above.')));
    const settle = (then: () => void): void => {
      each.off('message', hear);
      each.off('exit', fail);
      then();
    };
    each.on('message', hear);
    each.once('exit', fail);
    each.send(order);
  });
}

async function drain(
  claimers: readonly ChildProcess[],
  wanted: number,
): Promise<{ readonly seconds: number; readonly claimed: number; readonly milliseconds: readonly number[] }> {
  const milliseconds: number[] = [];
  let claimed = 0;
  let stopped = false;
  const startedMs = performance.now();
  const hear = (report: Report): void => {
    if (report.kind !== 'claimed') return;
    claimed += report.attempts;
    milliseconds.push(report.milliseconds);
    if (claimed < wanted || stopped) return;
    stopped = true;
    for (const each of claimers) each.send('stop' satisfies Order);
  };
  await Promise.all(claimers.map(async (each) => told(each, 'drain', hear)));
  return { seconds: (performance.now() - startedMs) / 1000, claimed, milliseconds };
}

interface Live {
  readonly gateway: string;
  readonly live: number;
  readonly least: number;
  readonly most: number;
}

/** What is claimed on each gateway that has something, and of which of its batches least and most. */
async function liveNow(db: Db): Promise<Live[]> {
  const { rows } = await sql<Live>`
    select gateway_id as gateway, sum(n)::integer as live, min(n)::integer as least, max(n)::integer as most
    from (
      select gateway_id, lane, count(*) as n from call_attempts
      where phase in ('claimed', 'dialing', 'ringing', 'answered') group by gateway_id, lane
    ) lanes
    group by gateway_id`.execute(db);
  return rows;
}

/** Nothing ends: then every gateway has exactly as many as it may, shared out among its batches. */
async function expectFull(db: Db): Promise<void> {
  const live = await liveNow(db);
  const full = live.filter((each) => each.live === channels && each.most - each.least <= 1);
  if (full.length !== gateways) {
    throw new Error(`${full.length} of ${gateways} gateways are full and even: ${JSON.stringify(live)}`);
  }
}

async function giveBack(db: Db): Promise<void> {
  await sql`update call_attempts set phase = 'queued', claimed_by = null, claimed_at = null where phase = 'claimed'`.execute(
    db,
  );
}

/** @returns ends the watch and tells the most that was live on any gateway */
function watchLive(db: Db): () => Promise<number> {
  const ending = new AbortController();
  let most = 0;
  const watching = (async () => {
    while (!ending.signal.aborted) {
      most = Math.max(most, ...(await liveNow(db)).map(({ live }) => live));
      await delay(sampleEveryMs, undefined, { signal: ending.signal }).catch(() => undefined); // the condition sees it
    }
  })();
  return async () => {
    ending.abort();
    await watching;
    return most;
  };
}

async function evenness(db: Db): Promise<number> {
  const { rows } = await sql<{ worst: number }>`
    select min(least::float8 / most) as worst from (
      select min(n) as least, max(n) as most from (
        select b.gateway_id, b.id, count(a.call_id) as n
        from batches b left join call_attempts a on a.batch_id = b.id and a.phase = 'ended'
        group by b.gateway_id, b.id
      ) batches group by gateway_id
    ) gateways`.execute(db);
  return rows[0]?.worst ?? NaN;
}
