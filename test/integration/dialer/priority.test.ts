import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Behaviour } from '../../../telephony/simulator/behaviour.js';
import { dialerTestEnv, inOrder, numbersEndingIn, until, type DialerTestEnv, type Gateway } from './test-env.js';

const talking = (talkSeconds: number): Behaviour => ({
  ...{ kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 0, talkSeconds },
  ...{ answeredBy: 'human', endedBy: 'callee' },
});

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

/** Starts the carrier whose callees talk this long; those of the batch at `longFrom` do not end. */
async function start(talkSeconds: number, longFrom?: number): Promise<void> {
  const numbers = longFrom === undefined ? [] : numbersEndingIn(1, 100, longFrom);
  const scenario = {
    numbers: Object.fromEntries(numbers.map((number) => [number, [talking(500_000)]])),
    otherwise: talking(talkSeconds),
  };
  testEnv = await dialerTestEnv({ speed: 50, scenario }, {}, inOrder);
}

/** A batch whose numbers begin at `from`. */
async function aBatch(gateway: Gateway, priority: number, from: number, calls = 100, maxConcurrentCalls?: number) {
  const batchId = await testEnv.batch(gateway, maxConcurrentCalls === undefined ? {} : { maxConcurrentCalls });
  await setPriority(batchId, priority);
  const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(1, calls, from));
  return { batchId, ids };
}

const setPriority = (batchId: string, priority: number) =>
  sql`update batches set priority = ${priority} where id = ${batchId}`.execute(testEnv.database.db);

const dialed = (): string[] =>
  testEnv.ledger().flatMap(({ event, to }) => (event === 'invite' && to !== undefined ? [to] : []));

/** Of the first so many INVITEs those of each batch, by where its numbers begin. */
const sharesOf = (invites: readonly string[], ...starts: number[]): number[] =>
  starts.map((from) => {
    const numbers = new Set(numbersEndingIn(1, 100, from));
    return invites.filter((to) => numbers.has(to)).length;
  });

const dialers = (count: number) => Promise.all(Array.from({ length: count }, () => testEnv.dialer()));

// shows: batch.priority
test('four dialers share the lines of a gateway among its batches by the weights of their priorities exactly', async () => {
  await start(500_000);
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 30 });
  for (const [place, priority] of [9, 1, 5].entries()) await aBatch(gateway, priority, place * 100);
  await dialers(4);
  await until(() => dialed().length === 30);
  // Weights 1, 9 and 5 of 15
  expect(sharesOf(dialed(), 0, 100, 200)).toEqual([2, 18, 10]);
});

test('a gateway of one line gives each batch its share in turns, and the last priority its turn in time', async () => {
  await start(1);
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 1 });
  await aBatch(gateway, 9, 0);
  await aBatch(gateway, 1, 100);
  await dialers(2);
  await until(() => dialed().length >= 30);
  const invites = dialed().slice(0, 30);
  for (const ten of [0, 10, 20]) expect(sharesOf(invites.slice(ten, ten + 10), 0, 100)).toEqual([1, 9]);
});

test('the calls per second of a gateway with lines to spare are shared by weight, too', async () => {
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: {}, otherwise: talking(1) } });
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 50, callsPerSecond: 20 });
  for (const [place, priority] of [9, 4, 7].entries()) await aBatch(gateway, priority, place * 100);
  await dialers(4);
  await until(() => dialed().length >= 60);
  // Weights 1, 6 and 3 of 10; calls that are claimed together leave in any order.
  const shares = sharesOf(dialed().slice(0, 60), 0, 100, 200);
  [6, 36, 18].forEach((fair, place) => expect(Math.abs((shares[place] ?? 0) - fair)).toBeLessThanOrEqual(5));
});

test('a batch of long calls does not take the lines of one of short calls', async () => {
  await start(1, 0);
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 10 });
  await aBatch(gateway, 5, 0);
  await aBatch(gateway, 5, 100, 60);
  await dialers(2);
  await until(() => sharesOf(dialed(), 100)[0] === 60);
  // The last short calls no longer need all lines of theirs, so the long ones may have them.
  const short = new Set(numbersEndingIn(1, 60, 100));
  const invites = dialed();
  const fiftieth = invites.findIndex((_, place) => sharesOf(invites.slice(0, place + 1), 100)[0] === 50);
  expect(invites.slice(0, fiftieth).filter((to) => !short.has(to))).toHaveLength(5);
});

test('a batch with nothing to dial costs the others nothing, and what one may not use is shared by weight', async () => {
  await start(500_000);
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 30 });
  const { ids } = await aBatch(gateway, 1, 0);
  await sql`update call_attempts set due_at = now() + interval '1 hour' where call_id = any (${ids}::uuid[])`.execute(
    testEnv.database.db,
  );
  await aBatch(gateway, 1, 100, 100, 3);
  await aBatch(gateway, 8, 200);
  await aBatch(gateway, 9, 300);
  await dialers(4);
  await until(() => dialed().length === 30);
  // 3 by its own limit; of the other 27 lines two thirds and one third.
  expect(sharesOf(dialed(), 0, 100, 200, 300)).toEqual([0, 3, 18, 9]);
});

test('a priority that is changed while the batch runs holds for the next line', async () => {
  await start(1);
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 1 });
  const first = await aBatch(gateway, 9, 0);
  const second = await aBatch(gateway, 1, 100);
  await dialers(1);
  await until(() => dialed().length >= 10);
  await setPriority(first.batchId, 1);
  await setPriority(second.batchId, 9);
  const before = dialed().length;
  await until(() => dialed().length >= before + 24);
  // One was on its way with the priorities of before, and one turn of the other was due.
  const [nine = 0, one = 0] = sharesOf(dialed().slice(before + 2, before + 22), 0, 100);
  expect(nine).toBeGreaterThanOrEqual(17);
  expect(one).toBeGreaterThanOrEqual(1);
});

interface Rival {
  readonly weight: number;
  /** Live calls that it can have at most. */
  readonly most: number;
}

/** The lines for each unit of weight, found by giving whoever has enough that much and dividing the rest anew. */
function shareOf(rivals: readonly Rival[], lines: number): number {
  const perWeight = lines / rivals.reduce((sum, { weight }) => sum + weight, 0);
  const [least, ...others] = [...rivals].sort((a, b) => a.most / a.weight - b.most / b.weight);
  if (least === undefined || others.length === 0 || least.most / least.weight >= perWeight) return perWeight;
  return shareOf(others, lines - least.most);
}

test('lines are shared as if whoever has enough left the rest to the others, whatever the weights and limits are', async () => {
  await start(1);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ weight: fc.integer({ min: 1, max: 9 }), most: fc.integer({ min: 1, max: 60 }) }), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.integer({ min: 1, max: 100 }),
      async (rivals, lines) => {
        const { rows } = await sql<{ share: number }>`
          select share_by_weight(${rivals.map(({ most }) => most)}::float8[], ${rivals.map(({ weight }) => weight)}::int[],
            ${lines}) as share`.execute(testEnv.database.db);
        const shares = (perWeight: number) => rivals.map(({ weight, most }) => Math.min(most, weight * perWeight));
        const expected = shares(shareOf(rivals, lines));
        shares(rows[0]?.share ?? 0).forEach((share, place) => expect(share).toBeCloseTo(expected[place] ?? 0, 6));
      },
    ),
    { numRuns: 60 },
  );
});
