import type { KyselyPlugin } from 'kysely';
import type { Db } from '../../../db/client.js';

const stops: Stop[] = [];

/** One that stands still has a connection, for which its pool would wait. */
export function letAllGoOn(): void {
  for (const stop of stops.splice(0)) stop.goOn();
}

/** Where a process stops, until it is let go on. */
export interface Stop {
  readonly reached: Promise<void>;
  readonly goOn: () => void;
  readonly here: () => Promise<void>;
}

export function createStop(): Stop {
  let [reach, goOn]: [() => void, () => void] = [() => undefined, () => undefined];
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (goOn = resolve));
  const stop = {
    reached,
    goOn,
    here: async (): Promise<void> => {
      reach();
      await released;
    },
  };
  stops.push(stop);
  return stop;
}

/** After the first answer with such a row. */
export const afterAnswer = (stop: Stop, fits: (row: Record<string, unknown>) => boolean) => (db: Db) => {
  let isFirst = true;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isFirst && result.rows[0] !== undefined && fits(result.rows[0])) {
        isFirst = false;
        await stop.here();
      }
      return result;
    },
  };
  return db.withPlugin(plugin);
};

/** What lies around each transaction. */
export const aroundTransactions =
  (around: (run: () => Promise<unknown>) => Promise<unknown>) =>
  (db: Db): Db =>
    new Proxy(db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'transaction') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        return () => ({
          execute: (run: Parameters<ReturnType<Db['transaction']>['execute']>[0]) =>
            around(() => target.transaction().execute(run)),
        });
      },
    });
/** After the commit of each transaction. */
export const afterCommits = (then: () => void | Promise<void>) =>
  aroundTransactions(async (run) => {
    const answer = await run();
    await then();
    return answer;
  });
export const afterCommit = (stop: Stop) => afterCommits(() => stop.here());
