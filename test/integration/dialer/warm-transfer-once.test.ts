import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Db } from '../../../db/client.js';
import { endLease } from '../../../db/queries/dialer/lease.js';
import { takeLease } from '../../../dialer/lease.js';
import { createWarmTransfers, type WarmTransfers } from '../../../dialer/warm-transfers.js';
import type { CallProvider } from '../../../telephony/provider.js';
import { aCalledNumber } from './callers.js';
import { controlledCalls, takes, talker, type ControlledCalls } from './controlled-calls.js';
import {
  afterAnswer,
  afterCommit,
  afterCommits,
  aroundTransactions,
  createStop,
  letAllGoOn,
  type Stop,
} from './stops.js';
import { until, type DialerTestEnv } from './test-env.js';

let calls: ControlledCalls;
let testEnv: DialerTestEnv;
let id: string;
const processes: WarmTransfers[] = [];

/** How the call came about: a dialer holds one that was dialed, none one that came in. */
const kinds = ['was dialed', 'came in'] as const;
let kind: (typeof kinds)[number];
async function begin(of: typeof kind): Promise<void> {
  kind = of;
  calls = await controlledCalls();
  ({ testEnv } = calls);
  if (kind === 'came in') {
    id = await (await aCalledNumber(testEnv, calls.gateway)).comesIn();
    return;
  }
  const dialer = await testEnv.dialer();
  id = await calls.aCall(talker, 'answered');
  await dialer.close();
  await testEnv.database.pool.query('update calls set simulated = true');
}
afterEach(async () => {
  vi.restoreAllMocks();
  for (const process of processes.splice(0)) process.abandon();
  letAllGoOn();
  await testEnv.close();
});

const invites = () => testEnv.ledger().filter(({ event }) => event === 'target_invite').length;
const violations = () => testEnv.ledger().filter(({ event }) => event === 'violation');
const statusOf = async () => (await calls.transferOf(id))?.status;

interface Process extends WarmTransfers {
  readonly id: string;
  /** What it has logged as an error, in order. */
  readonly errors: readonly string[];
}

/** The warm transfers of a process of their own. */
async function aProcess(over: { readonly db?: (db: Db) => Db; readonly provider?: CallProvider } = {}) {
  const { db } = testEnv.database;
  const { processId } = await takeLease(db, 60);
  const errors: string[] = [];
  const transfers = createWarmTransfers({
    db: over.db?.(db) ?? db,
    provider: over.provider ?? testEnv.provider(),
    processId: () => processId,
    openSecret: (sealed) => sealed,
    logger: pino({ level: 'error' }, { write: (text) => void errors.push(text) }),
  });
  processes.push(transfers);
  return { ...transfers, id: processId, errors } satisfies Process;
}

/** A leg that was dialed is this process's from now on: it has begun it, or has taken it over from one that has lost its lease. */
async function holds({ id: processId }: Process): Promise<void> {
  if (kind === 'came in') return;
  await testEnv.database.pool.query('update call_attempts set claimed_by = $1 where call_id = $2', [processId, id]);
}

const places = {
  'with the target about to be called': (stop: Stop) => ({ db: afterAnswer(stop, (row) => 'transferTo' in row) }),
  'with a slot': (stop: Stop) => ({ db: afterAnswer(stop, (row) => 'dialInMs' in row) }),
  'after the commit before the INVITE': (stop: Stop) => ({ db: afterCommit(stop) }),
  'with the INVITE on its way': (stop: Stop) => {
    const inner = testEnv.provider();
    const callTarget: CallProvider['callTarget'] = async (order) => {
      const answer = inner.callTarget(order);
      await stop.here();
      return answer;
    };
    return { provider: { ...inner, callTarget } };
  },
};
type Place = keyof typeof places;
const asFarAs = Object.keys(places) as Place[];

/** The first process comes to the place and stands still there; the other one has the leg and takes its rounds. */
async function stopsAt(place: Place) {
  const stop = createStop();
  const first = await aProcess(places[place](stop));
  await holds(first);
  await calls.transfer(id, takes, 'warm');
  const round = first.take();
  await stop.reached;
  await endLease(testEnv.database.db, first.id);
  const second = await aProcess();
  await holds(second);
  for (let rounds = 0; rounds < 3; rounds += 1) await second.take();
  return { stop, second, round };
}

const realNow = Date.now;
/** Minutes have passed of which the monotonic clock of this machine knows nothing: it was suspended. */
const wakeMuchLater = () => vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 600_000);

describe.each(kinds)('C1: the target of a warm transfer of a call that %s is called once', (of) => {
  beforeEach(() => begin(of));

  test.each(asFarAs)('by two dialers of which the first is killed %s', async (place) => {
    const { second } = await stopsAt(place);
    const isCommitted = place === 'after the commit before the INVITE';
    if (isCommitted) {
      await testEnv.database.pool.query(`update call_transfers set sent_at = sent_at - interval '10 minutes'`);
      await second.sweep();
      expect(await statusOf()).toBe('failed');
    } else {
      // On a busy machine its INVITE may be too late for the slot: it takes another one.
      await until(async () => {
        await second.take();
        return invites() === 1;
      });
    }
    await second.take();
    expect(invites()).toBe(isCommitted ? 0 : 1);
    expect(violations()).toEqual([]);
  });

  test.each(asFarAs)('by two dialers of which the first is frozen %s, and wakes', async (place) => {
    const { stop, second, round } = await stopsAt(place);
    wakeMuchLater();
    stop.goOn();
    await round;
    await until(async () => {
      await second.take();
      return (await statusOf()) === 'transferred';
    });
    expect(invites()).toBe(1);
    expect(violations()).toEqual([]);
  });

  test('by one that was suspended between the gate’s answer and the INVITE: not then, but at a slot of its own', async () => {
    const stop = createStop();
    const only = await aProcess({ db: afterCommit(stop) });
    await holds(only);
    await calls.transfer(id, takes, 'warm');
    await only.take();
    await stop.reached;
    await testEnv.database.pool.query(
      `insert into do_not_call (account_id, e164) select account_id, $2 from calls where id = $1`,
      [id, takes],
    );
    wakeMuchLater();
    stop.goOn();
    await until(async () => {
      await only.take();
      return ['failed', 'transferred'].includes((await statusOf()) ?? '');
    });
    expect(invites()).toBe(0);
    expect((await calls.transferOf(id))?.message).toContain('do-not-call');
  });

  test('if the answer of the gate is lost, which is asked again', async () => {
    let isFirst = true;
    const losing = afterCommits(() => {
      if (!isFirst) return;
      isFirst = false;
      throw new Error('Connection terminated unexpectedly');
    });
    const only = await aProcess({ db: losing });
    await holds(only);
    await calls.transfer(id, takes, 'warm');
    await until(async () => {
      await only.take();
      return (await statusOf()) === 'transferred';
    });
    expect(isFirst).toBe(false);
    expect(invites()).toBe(1);
  });

  test('by dialers whose database takes 100 ms to answer', async () => {
    const slowly: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return result;
      },
    };
    const only = await aProcess({ db: (db) => db.withPlugin(slowly) });
    await holds(only);
    await calls.transfer(id, takes, 'warm');
    await until(async () => {
      await only.take();
      return (await statusOf()) === 'transferred';
    });
    expect(invites()).toBe(1);
  });

  test('by two dialers of which the first learns from its gate that it has failed when the second has called it', async () => {
    const stop = createStop();
    const first = await aProcess({
      db: aroundTransactions(async () => {
        await stop.here();
        throw new Error('Connection terminated unexpectedly');
      }),
    });
    await holds(first);
    await calls.transfer(id, takes, 'warm');
    await first.take();
    await stop.reached;
    await endLease(testEnv.database.db, first.id);
    // As with an agent: it speaks with the target, and how the transfer went is not known yet.
    const inner = testEnv.provider();
    const callTarget: CallProvider['callTarget'] = (order) => {
      void inner.callTarget(order).catch(() => undefined);
      return Promise.resolve('answered');
    };
    const second = await aProcess({ provider: { ...inner, callTarget } });
    await holds(second);
    await until(async () => {
      await second.take();
      return invites() === 1;
    });
    stop.goOn();
    await until(() => first.errors.length === 1);
    for (let rounds = 0; rounds < 5; rounds += 1) await second.take();
    expect(await statusOf()).toBe('calling');
    expect(invites()).toBe(1);
    expect(violations()).toEqual([]);
  });

  // shows: calls.transfer.inbound
  test('by two dialers at once: what one has taken the other leaves alone, and takes no slot for', async () => {
    const stop = createStop();
    const first = await aProcess(places['with the target about to be called'](stop));
    const paced: unknown[] = [];
    const noted: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => {
        paced.push(...result.rows.filter((row) => 'dialInMs' in row));
        return Promise.resolve(result);
      },
    };
    const second = await aProcess({ db: (db) => db.withPlugin(noted) });
    await holds(first);
    await calls.transfer(id, takes, 'warm');
    const round = first.take();
    await stop.reached;
    for (let rounds = 0; rounds < 3; rounds += 1) await second.take();
    stop.goOn();
    await round;
    await until(async () => {
      await Promise.all([first.take(), second.take()]);
      return (await statusOf()) === 'transferred';
    });
    expect(invites()).toBe(1);
    expect(paced).toEqual([]);
    expect(violations()).toEqual([]);
  });
});
