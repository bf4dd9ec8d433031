import type { Db } from '../../db/client.js';
import { median, type Result } from '../result.js';

/** One of the two databases that are compared. */
export interface Side {
  readonly db: Db;
  /** Of a batch in the middle of what the database holds. */
  readonly batchId: string;
  readonly callId: string;
  /** A number that was called. */
  readonly callee: string;
}

export interface Sides {
  readonly small: Side;
  readonly large: Side;
}

export interface Probe {
  readonly name: string;
  readonly run: (side: Side) => Promise<unknown>;
}

/** Answers slower than this are not asked for so often. */
const slowMs = 1_000;

/** Keeps the milliseconds of both sides until there are enough for a result. */
export class Pair {
  readonly small: number[] = [];
  readonly large: number[] = [];

  /** The time on the large database over that on the small one, medians of both. */
  resultOf(name: string, most?: number): Result {
    const [small, large] = [median(this.small), median(this.large)];
    return {
      name,
      value: large / small,
      unit: '×',
      ...(most === undefined ? {} : { aim: { atMost: most } }),
      note: `${large.toFixed(2)} ms ÷ ${small.toFixed(2)} ms, medians of ${this.large.length}`,
    };
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Asks both databases the same in turn, so that a machine that slows down does so for both. */
export async function compare({ name, run }: Probe, { small, large }: Sides, rounds: number): Promise<Result> {
  const pair = new Pair();
  await run(small);
  const firstMs = await timed(() => run(large));
  for (let round = 0; round < (firstMs > slowMs ? 1 : rounds); round++) {
    pair.small.push(await timed(() => run(small)));
    pair.large.push(await timed(() => run(large)));
  }
  return pair.resultOf(`history: ${name}`, 1.2);
}
