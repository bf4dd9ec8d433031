import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/** Longest wait before one that was turned away is tried again. */
const longestWaitMs = 300_000;

/** How long one waits that was turned away for the first, second, … time: twice as long each time, and not all at the same instant. */
const waitMs = (timesTurnedAway: number): number =>
  Math.min(longestWaitMs, 1_000 * 2 ** Math.min(timesTurnedAway, 20)) * (0.5 + Math.random() / 2);

/**
 * Leaves one account at most so many activities of one kind at once in this process; Temporal tries the others again later. What
 * one account's servers keep waiting would otherwise take all the room, and be ahead of everybody else in the queue.
 *
 * @param most of one kind, of the account that the activity's input names
 */
export function shareOfAccount(most: number): ActivityInterceptorsFactory {
  const underWay = new Map<string, number>();
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const [ref] = input.args as [{ readonly accountId?: string } | undefined];
        const key = `${info.activityType} ${ref?.accountId ?? ''}`;
        const others = underWay.get(key) ?? 0;
        if (others >= most) {
          throw ApplicationFailure.create({
            type: 'AccountHasItsShare',
            message: `The account has ${others} of these under way already; it is tried again later.`,
            nextRetryDelay: waitMs(info.attempt),
          });
        }
        underWay.set(key, others + 1);
        try {
          return await next(input);
        } finally {
          const left = (underWay.get(key) ?? 1) - 1;
          if (left === 0) underWay.delete(key);
          else underWay.set(key, left);
        }
      },
    },
  });
}
