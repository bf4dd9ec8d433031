import { type CallOrder, type Evidence, mayHaveLeftBefore } from './evidence.js';
import type { Leg } from './legs.js';

/** An instant goes through milliseconds in the API and microseconds in PostgreSQL. */
export const roundedMs = 5;

type Held = Evidence['roadHeld'];

export const isDone = ({ answeredAtMs }: CallOrder): boolean => answeredAtMs < Infinity;
export const isOf =
  (number: string) =>
  (order: CallOrder): boolean =>
    order.number === number;

/** Orders that may explain an attempt, each one of them. */
export interface Unused {
  /** Takes an order for this attempt. @returns whether there was one */
  take(first: Leg): boolean;
}

export function unusedOrders(orders: readonly CallOrder[], number: string, held: Held): Unused {
  let left = orders.filter(isOf(number));
  return {
    take(first) {
      const used = left.find(({ askedAtMs, dueMs }) => askedAtMs <= first.atMs && dueMs - roundedMs <= first.atMs);
      if (used === undefined) return false;
      // What was answered before this one left was about this one, or one before. One that left, and was not sent, was live then.
      const isSpent = (order: CallOrder) =>
        order === used ||
        (first.invite === 1 && isDone(order) && !mayHaveLeftBefore(order.answeredAtMs, first.atMs, held));
      left = left.filter((order) => !isSpent(order));
      return true;
    },
  };
}
