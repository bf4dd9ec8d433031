import { randomUUID } from 'node:crypto';
import { type KyselyPlugin, sql, type Transaction } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../../db/client.js';
import type { DB } from '../../../db/types.js';
import { endLease, startLease, takeOverLegsOfDead } from '../../../db/queries/dialer/lease.js';
import type { AttemptRef, CallProvider } from '../../../telephony/provider.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  testEnv = await dialerTestEnv();
});
afterAll(() => testEnv.close());
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Dialer = Awaited<ReturnType<DialerTestEnv['dialer']>>;

async function dialer(...options: Parameters<DialerTestEnv['dialer']>): Promise<Dialer> {
  const started = await testEnv.dialer(...options);
  closers.push(() => started.close());
  return started;
}

const invitesOf = (ids: readonly string[]) =>
  testEnv.ledger().filter((line) => line.event === 'invite' && ids.includes(line.callId ?? ''));

const violations = () => testEnv.ledger().filter((line) => line.event === 'violation');

async function endings(ids: readonly string[]) {
  const rows = await testEnv.database.db
    .selectFrom('call_attempts')
    .select(['outcome', 'reason', 'invite'])
    .where('call_id', 'in', ids)
    .where('phase', '=', 'ended')
    .execute();
  return rows;
}

const allEnded = (ids: readonly string[]) => until(async () => (await endings(ids)).length === ids.length);

/** Nothing of this process runs for so long, as under SIGSTOP or while the machine is moved. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A carrier that promises nothing about references that it does not know, as LiveKit does not. */
function withoutFences(asked: AttemptRef[] = []): CallProvider {
  const carrier = testEnv.provider();
  return {
    ...carrier,
    async reconcile(ref) {
      asked.push(ref);
      const answer = await carrier.reconcile(ref);
      return answer === 'fenced' ? 'absent' : answer;
    },
  };
}

/** Loses the answer of a statement whose first row fits, once: it has been committed, and the connection broke. */
function losing(
  db: Db,
  fits: (row: Record<string, unknown>) => boolean,
): { readonly db: Db; readonly lost: () => number } {
  let lost = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      const [first] = result.rows;
      if (lost === 0 && first !== undefined && fits(first)) {
        lost = result.rows.length;
        return Promise.reject(new Error('Connection terminated unexpectedly'));
      }
      return Promise.resolve(result);
    },
  };
  return { db: db.withPlugin(plugin), lost: () => lost };
}

/** Holds back what a transaction that has been committed says, as a machine does that has too much to do. */
function answeringLate(db: Db, before: (answer: unknown) => Promise<void>): Db {
  return new Proxy(db, {
    get(target, name) {
      if (name !== 'transaction') {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      }
      return () => ({
        execute: async <T>(run: (tx: Transaction<DB>) => Promise<T>): Promise<T> => {
          const answer = await target.transaction().execute(run);
          await before(answer);
          return answer;
        },
      });
    },
  });
}

/** What the dialer's commit of progress answers. */
const isFlush = (answer: unknown): boolean => typeof answer === 'object' && answer !== null && 'passed' in answer;

test('C1: a lone dialer that stands still past its lease, again and again, sends no INVITE twice and loses no recipient', async () => {
  const gateway = await testEnv.gateway({ callsPerSecond: 4 });
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(0, 24, 1_000));
  const one = await dialer(undefined, 1);
  const names = new Set([one.processId()]);
  for (let times = 1; times <= 3; times++) {
    const before = invitesOf(ids).length;
    await until(() => invitesOf(ids).length > before);
    standStill(1_500);
    await until(() => !names.has(one.processId()));
    names.add(one.processId());
  }
  expect(names.size).toBe(4);
  await allEnded(ids);
  expect((await endings(ids)).map(({ outcome }) => outcome)).toEqual(ids.map(() => 'answered'));
  expect(violations()).toEqual([]);
  const sent = invitesOf(ids).map(({ callId, attempt, invite }) => `${callId}/${attempt}/${invite}`);
  expect(new Set(sent).size).toBe(sent.length);
});

test('C1: a dialer that loses its lease while calls wait for their slots drops them, and each is dialed once', async () => {
  const gateway = await testEnv.gateway({ callsPerSecond: 2 });
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(0, 8, 2_000));
  const first = await dialer(undefined, 2);
  await until(() => invitesOf(ids).length > 0);
  const before = first.processId();
  await endLease(testEnv.database.db, before);
  const second = await dialer(undefined, 2);
  await until(() => first.processId() !== before);
  await allEnded(ids);
  const sent = invitesOf(ids).map(({ callId }) => callId);
  expect(sent.toSorted()).toEqual(ids.toSorted());
  expect(violations()).toEqual([]);
  expect(second.processId()).not.toBe(first.processId());
});

// On a busy machine the calls may end before the dialer stands still, or its lease run out once more: then it is tried again.
const dependsOnTime = { retry: 3 };

test(
  'C1: legs that no other dialer has taken go on under the new id, their SIP codes kept',
  dependsOnTime,
  async () => {
    const gateway = await testEnv.gateway();
    const ids = await testEnv.calls(gateway, null, numbersEndingIn(1, 3, 3_000));
    const asked: AttemptRef[] = [];
    const one = await dialer(withoutFences(asked), 3);
    await until(() => invitesOf(ids).length === 3);
    const before = one.processId();
    standStill(4_000);
    await until(() => one.processId() !== before);
    await allEnded(ids);
    expect((await endings(ids)).map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(asked).toEqual([]);
  },
);

test(
  'C1: the end of a leg that is committed before the dialer hears of its new claim is committed under that one',
  dependsOnTime,
  async () => {
    const gateway = await testEnv.gateway();
    const ids = await testEnv.calls(gateway, null, numbersEndingIn(1, 3, 4_000));
    const asked: AttemptRef[] = [];
    const adoption = { committed: false, heard: false };
    let isOver = false;
    closers.push(async () => {
      isOver = true;
    });
    const one = await dialer(withoutFences(asked), 3, (db) =>
      answeringLate(db, async (answer) => {
        if (Array.isArray(answer) && !adoption.committed) {
          adoption.committed = true;
          await until(() => adoption.heard || isOver);
        } else if (adoption.committed && isFlush(answer)) adoption.heard = true;
      }),
    );
    await until(() => invitesOf(ids).length === 3);
    standStill(4_000);
    await allEnded(ids);
    expect(adoption).toEqual({ committed: true, heard: true });
    expect((await endings(ids)).map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(asked).toEqual([]);
    expect(one.trouble()).toBeNull();
  },
);

test('C1: a dialer that wakes lets go of legs that another has taken, and writes nothing about them', async () => {
  const talks = { kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 0, talkSeconds: 1_000_000 } as const;
  const slow = await dialerTestEnv({ scenario: { otherwise: talks } });
  closers.push(() => slow.close());
  const { db } = slow.database;
  const gateway = await slow.gateway();
  const [callId = ''] = await slow.calls(gateway, null, numbersEndingIn(7, 1));
  const letGo: AttemptRef[] = [];
  const carrier = slow.provider();
  const one = await slow.dialer(
    {
      ...carrier,
      letGo(ref) {
        letGo.push(ref);
        carrier.letGo(ref);
      },
    },
    5,
  );
  const hears = (event: string) => until(() => slow.ledger().some((line) => line.event === event));
  await until(async () => {
    const { phase } = await db.selectFrom('call_attempts').select('phase').executeTakeFirstOrThrow();
    return phase === 'answered';
  });
  const before = one.processId();
  const other = randomUUID();
  await startLease(db, { id: other, host: 'elsewhere', pid: 1 }, 600);
  await db.transaction().execute(async (tx) => {
    await endLease(tx, before);
    expect(await takeOverLegsOfDead(tx, other, 10)).toHaveLength(1);
  });
  const held = await slow.claimOf(callId);
  await until(() => one.processId() !== before && letGo.length > 0);
  expect(letGo.map((ref) => ref.callId)).toEqual([callId]);
  await carrier.hangUp(letGo[0]!, 'ended_by_api');
  await hears('ended');
  await one.close();
  const row = await db.selectFrom('call_attempts').selectAll().where('call_id', '=', callId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ claimed_by: other, claim_id: held, outcome: null });
});

test('C8: calls whose gate’s answer is lost were never sent: they go back to the queue by the dialer’s own word', async () => {
  const gateway = await testEnv.gateway();
  const asked: AttemptRef[] = [];
  const ids = await testEnv.calls(gateway, null, numbersEndingIn(0, 8, 5_000));
  let lost = () => 0;
  await dialer(withoutFences(asked), 15, (db) => {
    const breaking = losing(db, (row) => 'refusal' in row && row.refusal === null);
    lost = breaking.lost;
    return breaking.db;
  });
  await allEnded(ids);
  expect(lost()).toBeGreaterThan(0);
  const ended = await endings(ids);
  expect(ended.map(({ outcome }) => outcome)).toEqual(ids.map(() => 'answered'));
  // A passing of the gate that nothing was sent for is over: the next INVITE of the attempt has the next number.
  expect(ended.filter(({ invite }) => invite > 1).length).toBeGreaterThanOrEqual(lost());
  expect(invitesOf(ids)).toHaveLength(8);
  // What was not sent is not counted as dialed either.
  const { rows } = await sql`
    select sum(dials)::int as dials from recent_dials where gateway_id = ${gateway.id}`.execute(testEnv.database.db);
  expect(rows).toEqual([{ dials: 8 }]);
  expect(asked).toEqual([]);
});

test('C8: calls whose pacing’s answer is lost are paced again, and dialed once', async () => {
  const gateway = await testEnv.gateway();
  const ids = await testEnv.calls(gateway, null, numbersEndingIn(0, 4, 6_000));
  await dialer(undefined, 15, (db) => losing(db, (row) => 'dialInMs' in row).db);
  await allEnded(ids);
  expect(invitesOf(ids)).toHaveLength(4);
});

test('C12: a database that takes 400 ms to answer keeps no call from being dialed', async () => {
  const gateway = await testEnv.gateway({ callsPerSecond: 5 });
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(0, 3, 7_000));
  const slowly: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return result;
    },
  };
  await dialer(undefined, 15, (db) => db.withPlugin(slowly));
  await allEnded(ids);
  expect(invitesOf(ids)).toHaveLength(3);
  expect(violations()).toEqual([]);
});
