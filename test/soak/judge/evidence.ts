import type { LedgerLine } from '../../../telephony/simulator/ledger.js';
import type { Interval } from '../journal.js';

/** A setting that was changed while it was in use. It may hold from `askedAtMs` on; once answered it holds alone. */
export interface Version<T> {
  readonly value: T;
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  /** A request that was never answered may still take effect until then, after later ones. */
  readonly ghostUntilMs: number;
}

export interface RetryPlan {
  readonly retryOn: readonly string[];
  readonly retryDelays: readonly number[];
}

/** Hours in a named zone, every day but those excepted: a date of one window of a list counts for all of them. */
export interface Window {
  readonly from: string;
  readonly until: string;
  readonly timezone: string;
  readonly except?: readonly string[];
}

/** Open while one of its windows is; null: always. */
export type Windows = readonly Window[] | null;

/** What a batch calls from. */
export interface Callers {
  readonly numbers: readonly string[];
  readonly onRetry: 'same' | 'other';
}

/** A number with limits of its own. */
export interface NumberEvidence {
  readonly e164: string;
  /** By whose midnight it counts. */
  readonly timezone: string;
  readonly mostPerDay: readonly Version<number | null>[];
  readonly secondsBetween: readonly Version<number | null>[];
  /** What the API says in the end of the calls of this day. */
  readonly count: { readonly calls: number; readonly askedAtMs: number } | undefined;
}

/** Nothing may be dialed from the answer to one order until the opposite order was first asked for. */
export interface Ban extends Interval {
  readonly why: 'cancel' | 'pause' | 'stop-dialing' | 'do-not-call' | 'skip';
}

/** What a request may change in a recipient that was never dialed; each request of the soak sends all of it. */
export interface Wishes {
  /** null: as soon as it is their turn */
  readonly notBeforeMs: number | null;
  readonly priority: number | null;
  /** null: the recipient has no metadata */
  readonly name: string | null;
}

/** A request for one more call of a recipient, outside the retry plan. */
export interface CallOrder {
  readonly kind: 'again' | 'callback';
  readonly number: string;
  /** Of a callback, when it was promised for; of a call again, when it was asked for. */
  readonly dueMs: number;
  readonly askedAtMs: number;
  /** Infinity until it is answered with 200. One that never is may have been carried out nevertheless. */
  readonly answeredAtMs: number;
}

/** A record, or a single call, as the API tells it in the end. */
export interface RecordAnswer {
  readonly callId: string;
  readonly phoneNumber: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly attempts: number;
  /** Whether it was one, by the analysis of its conversation; undefined: it was not analyzed, or is a single call. */
  readonly success?: boolean | undefined;
  /** As a request would have it; undefined of single calls. */
  readonly wishes?: Wishes;
}

/** What the API says of a batch that has ended. */
export interface BatchAnswer {
  readonly status: string;
  readonly completedAtMs: number;
  readonly stoppedBy: string | undefined;
  readonly recordsUploaded: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Of its calls; undefined if none has a price. */
  readonly cost: number | undefined;
  readonly statsTotal: number;
  readonly statsAttempts: number;
  readonly records: readonly RecordAnswer[];
}

export interface BatchEvidence {
  readonly account: string;
  readonly batchId: string;
  /** Everybody who was asked for, those first whom it was created with. */
  readonly numbers: readonly string[];
  /** How many of the numbers it was created with. */
  readonly uploaded: number;
  /** Numbers of requests to add them that were not answered with 200: they may be in the batch or not. */
  readonly doubtful: ReadonlySet<string>;
  /** Whether it waits for more recipients. */
  readonly open: readonly Version<boolean>[];
  /** number → since when it is skipped; from Infinity: it may be */
  readonly skips: ReadonlyMap<string, Ban>;
  /** number → its wishes; omitted: none was ever told */
  readonly wishes: ReadonlyMap<string, readonly Version<Wishes>[]>;
  /** In the order in which they were asked for. */
  readonly orders: readonly CallOrder[];
  readonly startsAtMs: number | undefined;
  readonly retry: readonly Version<RetryPlan | null>[];
  readonly window: readonly Version<Windows>[];
  readonly callers: Callers;
  /** After so many answers nobody else is called. */
  readonly stopAfterAnswered: readonly Version<number | null>[];
  /** After so many successes nobody else is called. */
  readonly stopAfterSuccess: readonly Version<number | null>[];
  /** How many successes an answer of the API told of, and when it came. */
  readonly successesSeen: readonly { readonly count: number; readonly atMs: number }[];
  /** 1 to 9. */
  readonly priority: number;
  /** Batches with the same contend for one gateway by nothing but their priorities. */
  readonly contest: string | undefined;
  /** From this instant on nobody is called. */
  readonly stopAt: readonly Version<number | null>[];
  /** Once its calls have cost as much, nobody else is called. Each that was answered costs one. */
  readonly maxCost: readonly Version<number | null>[];
  /** When an answer of the API said that it had been stopped; Infinity: none did before its end. */
  readonly stopSeenMs: number;
  readonly mostAtOnce: readonly Version<number | null>[];
  readonly bans: readonly Ban[];
  readonly cancelAsked: boolean;
  /** undefined while it goes on, `stuck` if it has not ended in time. */
  readonly end: BatchAnswer | 'stuck' | undefined;
}

export interface SingleEvidence {
  readonly account: string;
  readonly callId: string;
  readonly number: string;
  readonly end: RecordAnswer | 'stuck' | undefined;
}

export interface AccountEvidence {
  readonly account: string;
  readonly gatewayIds: readonly string[];
  /** stop-dialing, for everything of the account. */
  readonly bans: readonly Ban[];
  /** Orders to hang up whatever is live, from the request to its answer. */
  readonly hangUps: readonly Interval[];
  /** Lines that batches leave free on each of its gateways. */
  readonly reserved: readonly Version<number>[];
  readonly numbers: readonly NumberEvidence[];
  /** The do-not-call list: number → since when. */
  readonly optOuts: ReadonlyMap<string, Ban>;
}

export interface ReceivedWebhook {
  readonly webhookId: string;
  readonly verified: boolean;
  readonly event: string;
  readonly batchId: string;
  readonly status: string;
  readonly recordsUploaded: number;
}

/** All that the judge looks at: the carrier's ledger, the webhooks, what the customer asked for and what the API says. */
export interface Evidence {
  readonly ledger: readonly LedgerLine[];
  readonly accounts: readonly AccountEvidence[];
  readonly batches: readonly BatchEvidence[];
  readonly singles: readonly SingleEvidence[];
  readonly webhooks: readonly ReceivedWebhook[];
  /** Concurrent calls that each gateway allows. */
  readonly lines: number;
  /** While something lay between the dialers and the carrier, and an INVITE may have arrived late. */
  readonly roadHeld: readonly Interval[];
  /** While something lay between the dialers, the database and the carrier, and INVITEs may have arrived in a bunch. */
  readonly paceHeld: readonly Interval[];
  /** Whether nothing more will come: what is missing now is lost. */
  readonly over: boolean;
}

export interface Violation {
  /** One word for the promise that is broken. */
  readonly rule: string;
  readonly what: string;
  readonly atMs: number;
  /** Ids and numbers to look for in the timeline. */
  readonly about: readonly string[];
}

/** From the gate's commit to the arrival of the INVITE: what the dialer allows itself, and a margin. */
export const roadMs = 2_500;

/** Versions that may have been in force at some moment of the interval. */
export function inForce<T>(versions: readonly Version<T>[], fromMs: number, untilMs: number): T[] {
  return versions.flatMap(({ value, askedAtMs, ghostUntilMs }, place) => {
    const replacedMs = versions[place + 1]?.answeredAtMs ?? Infinity;
    return askedAtMs <= untilMs && fromMs <= Math.max(replacedMs, ghostUntilMs) ? [value] : [];
  });
}

/** Whether an INVITE that arrived at `atMs` may have left before `fromMs`: the road took its time, or was held. */
export function mayHaveLeftBefore(fromMs: number, atMs: number, held: readonly Interval[]): boolean {
  let latestMs = fromMs + roadMs;
  for (const interval of held) {
    if (interval.fromMs <= latestMs) latestMs = Math.max(latestMs, interval.untilMs + roadMs);
  }
  return atMs <= latestMs;
}

/** How long an INVITE that arrived then may have been on its road. */
export function longestRoadMs(atMs: number, held: readonly Interval[]): number {
  let leftMs = atMs - roadMs;
  for (const interval of [...held].sort((a, b) => b.untilMs - a.untilMs)) {
    if (interval.untilMs >= leftMs && interval.fromMs <= atMs) leftMs = Math.min(leftMs, interval.fromMs - roadMs);
  }
  return atMs - leftMs;
}
