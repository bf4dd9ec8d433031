export interface TurnLimits {
  readonly atOnce: number;
  /** Of them for one owner. */
  readonly perOwner: number;
  /** How many of one owner may wait. */
  readonly waitingPerOwner: number;
}

export interface Turns {
  /** Does the work when it is its owner's turn. @throws TooManyWaiting if too much of this owner waits already */
  take<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
}

/** Lets so much of something happen at once in this process, and so little of it for one owner that others get a turn. */
export function createTurns({ atOnce, perOwner, waitingPerOwner }: TurnLimits): Turns {
  const running = new Map<string, number>();
  let inAll = 0;
  let waiting: { readonly owner: string; readonly begin: () => void }[] = [];
  const count = (owner: string): number => running.get(owner) ?? 0;

  const enter = (owner: string): void => {
    inAll += 1;
    running.set(owner, count(owner) + 1);
  };

  const leave = (owner: string): void => {
    inAll -= 1;
    if (count(owner) === 1) running.delete(owner);
    else running.set(owner, count(owner) - 1);
    // The first whose owner may: those of a busy owner do not block others.
    const next = inAll < atOnce ? waiting.find((each) => count(each.owner) < perOwner) : undefined;
    if (next === undefined) return;
    waiting = waiting.filter((each) => each !== next);
    enter(next.owner);
    next.begin();
  };

  return {
    async take(owner, work) {
      if (inAll < atOnce && count(owner) < perOwner) enter(owner);
      else {
        if (waiting.filter((each) => each.owner === owner).length >= waitingPerOwner) throw new TooManyWaiting();
        await new Promise<void>((begin) => waiting.push({ owner, begin }));
      }
      try {
        return await work();
      } finally {
        leave(owner);
      }
    },
  };
}
