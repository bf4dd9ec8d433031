import type {
  AccountEvidence,
  Ban,
  BatchAnswer,
  BatchEvidence,
  Callers,
  CallOrder,
  NumberEvidence,
  RecordAnswer,
  RetryPlan,
  SingleEvidence,
  Version,
  Windows,
  Wishes,
} from './judge/evidence.js';
import type { Asked } from './customer.js';
import type { Interval } from './journal.js';

/** A setting with its changes, as it is asked for. */
export interface Setting<T> {
  readonly versions: Version<T>[];
  /** Notes what may hold from now on, and when it alone does. */
  change(value: T, ask: () => Promise<Asked>): Promise<Asked>;
}

export function createSetting<T>(first: T): Setting<T> {
  const versions: Version<T>[] = [{ value: first, askedAtMs: 0, answeredAtMs: 0, ghostUntilMs: 0 }];
  return {
    versions,
    async change(value, ask) {
      const asked = { value, askedAtMs: Date.now(), answeredAtMs: Infinity, ghostUntilMs: Infinity };
      const place = versions.push(asked) - 1;
      const answer = await ask();
      const { answeredAtMs, ghostUntilMs } = answer;
      versions[place] = { ...asked, ghostUntilMs, ...(answer.status === 200 ? { answeredAtMs } : {}) };
      // Refused at the first try: it holds at no time.
      if (answer.status !== 200 && ghostUntilMs === 0) versions.splice(place, 1);
      return answer;
    },
  };
}

/** Orders that forbid dialing, each from its answer until the opposite order is first asked for. */
export interface Bans {
  readonly list: Ban[];
  begin(why: Ban['why'], ask: () => Promise<Asked>): Promise<Asked>;
  /** The opposite order. */
  end(ask: () => Promise<Asked>): Promise<Asked>;
}

export function createBans(): Bans {
  const list: Ban[] = [];
  /** An opposite order that was never answered may still be carried out until then. */
  let liftedUntilMs = 0;
  return {
    list,
    async begin(why, ask) {
      const answer = await ask();
      const isOrdered = answer.status === 200 || answer.status === 202;
      if (isOrdered) list.push({ why, fromMs: Math.max(answer.answeredAtMs, liftedUntilMs), untilMs: Infinity });
      return answer;
    },
    async end(ask) {
      const nowMs = Date.now();
      for (const [place, ban] of list.entries())
        if (ban.why !== 'cancel') list[place] = { ...ban, untilMs: Math.min(ban.untilMs, nowMs) };
      const answer = await ask();
      liftedUntilMs = Math.max(liftedUntilMs, answer.ghostUntilMs);
      return answer;
    },
  };
}

/** What one batch was asked for and what came of it. */
export interface BatchBook {
  readonly account: string;
  readonly batchId: string;
  /** Those whom it was created with, then those who were added. */
  readonly numbers: string[];
  readonly uploaded: number;
  readonly doubtful: Set<string>;
  readonly open: Setting<boolean>;
  readonly skips: Map<string, Ban>;
  readonly wishes: Map<string, Setting<Wishes>>;
  readonly orders: CallOrder[];
  readonly startsAtMs: number | undefined;
  readonly retry: Setting<RetryPlan | null>;
  readonly window: Setting<Windows>;
  readonly callers: Callers;
  readonly stopAfterAnswered: Setting<number | null>;
  readonly stopAfterSuccess: Setting<number | null>;
  /** How many successes the API told of, and when. */
  readonly successesSeen: { readonly count: number; readonly atMs: number }[];
  readonly priority: number;
  /** Those with the same contend for one gateway by nothing but their priorities. */
  readonly contest: string | undefined;
  readonly stopAt: Setting<number | null>;
  readonly maxCost: Setting<number | null>;
  stopSeenMs: number;
  readonly mostAtOnce: Setting<number | null>;
  readonly bans: Bans;
  cancelAsked: boolean;
  end: BatchAnswer | 'stuck' | undefined;
}

export interface SingleBook {
  readonly account: string;
  readonly number: string;
  /** Empty if no call came of the order, as far as its answer tells. */
  readonly callId: string;
  end: RecordAnswer | 'stuck' | undefined;
}

/** A number with limits of its own. */
export interface NumberBook {
  readonly e164: string;
  readonly id: string;
  readonly timezone: string;
  readonly mostPerDay: Setting<number | null>;
  readonly secondsBetween: Setting<number | null>;
  count: NumberEvidence['count'];
}

export interface AccountBook {
  readonly account: string;
  readonly gatewayIds: readonly string[];
  readonly hangUps: Interval[];
  readonly bans: Bans;
  readonly optOuts: Map<string, Ban>;
  readonly reserved: Setting<number>;
  readonly numbers: readonly NumberBook[];
}

export const evidenceOfBatch = (book: BatchBook): BatchEvidence => ({
  ...book,
  ...{ retry: book.retry.versions, window: book.window.versions, mostAtOnce: book.mostAtOnce.versions },
  ...{ open: book.open.versions, bans: book.bans.list },
  ...{ stopAfterAnswered: book.stopAfterAnswered.versions, stopAt: book.stopAt.versions },
  stopAfterSuccess: book.stopAfterSuccess.versions,
  maxCost: book.maxCost.versions,
  wishes: new Map([...book.wishes].map(([number, { versions }]) => [number, versions])),
});

export const evidenceOfSingle = (book: SingleBook): SingleEvidence => ({ ...book });

export const evidenceOfAccount = ({ bans, reserved, numbers, ...rest }: AccountBook): AccountEvidence => ({
  ...{ ...rest, bans: bans.list, reserved: reserved.versions },
  numbers: numbers.map(({ mostPerDay, secondsBetween, ...number }) => ({
    ...{ ...number, mostPerDay: mostPerDay.versions, secondsBetween: secondsBetween.versions },
  })),
});

/** How often what was asked about single recipients was answered with 200. */
export function countOrders(batches: readonly BatchBook[]): Record<string, number> {
  const sumOf = (count: (batch: BatchBook) => number): number => batches.reduce((sum, batch) => sum + count(batch), 0);
  const called = (kind: CallOrder['kind']) =>
    sumOf(({ orders }) => orders.filter((order) => order.kind === kind && order.answeredAtMs < Infinity).length);
  return {
    added: sumOf(({ numbers, uploaded, doubtful }) => numbers.length - uploaded - doubtful.size),
    skipped: sumOf(({ skips }) => [...skips.values()].filter(({ fromMs }) => fromMs < Infinity).length),
    changed: sumOf(({ wishes }) => [...wishes.values()].reduce((sum, { versions }) => sum + versions.length - 1, 0)),
    ...{ 'called again': called('again'), 'called back': called('callback') },
    stopped: sumOf(({ end }) => (typeof end === 'object' && end.stoppedBy !== undefined ? 1 : 0)),
    'opened or closed': sumOf(({ open }) => open.versions.length - 1),
  };
}
