export interface TurnLimits {
  readonly atOnce: number;
  /** Of them for one owner. */
  readonly perOwner: number;
  /** How many of one owner may wait. */
  readonly waitingPerOwner: number;
}

/** What work takes while it is done. */
export interface Place {
  /** Whether every place is taken, and an owner who has none waits for one. */
  isWanted(): boolean;
}

export interface Turns {
  /** Does the work when it is its owner's turn. @throws TooManyWaiting if too much of this owner waits already */
  take<T>(owner: string, work: (place: Place) => Promise<T>): Promise<T>;
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
    // The first of the owner who has the fewest places: neither one busy owner nor many of them keep another out.
    const fewest = Math.min(...waiting.map((each) => count(each.owner)));
    const next = inAll < atOnce && fewest < perOwner ? waiting.find((each) => count(each.owner) === fewest) : undefined;
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
        return await work({ isWanted: () => inAll >= atOnce && waiting.some((each) => count(each.owner) === 0) });
      } finally {
        leave(owner);
      }
    },
  };
}
