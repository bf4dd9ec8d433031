import { storedWindow } from '../call/calling-window-answer.js';
import { amountOf, type Cost } from '../account/money.js';
import { property } from '../input/json-value.js';
import { asBatchStatus, isFinished } from './batch-call.js';
import { type Calling, holdOf, type HoldFacts, regionOf } from './hold.js';
import { type Hold, type NearCalls, type Room, waitingOf, type Waits } from './waiting.js';

/** Zones separated by commas, the hold or '', its first instant, and how many calls. */
export type WaitGroupEntry = readonly [zones: string, hold: string, until: string | null, calls: number];
/** Zones separated by commas, a reason, its first instant, and how many calls. */
export type NearEntry = readonly [zones: string, reason: string, until: string | null, calls: number];

/** What the queue and the counters say of the calls of a running batch that wait; of the same snapshot as its counters. */
export interface BatchWaits {
  readonly groups: readonly WaitGroupEntry[];
  readonly near: readonly NearEntry[];
  readonly due: boolean;
  /** Calls that the number takes now by its own limits, and when it takes the next; null: it has none. */
  readonly number: readonly [room: number, freeAt: string | null] | null;
  /** Cleared by the batch’s pre-dial endpoint, and until when it is not asked because it fails; null: it has none. */
  readonly preDial?: readonly [cleared: number, failingUntil: string | null] | null;
}

/** What limits the calls of a gateway at this moment. */
export interface GatewayRoom {
  readonly suspended: boolean;
  readonly probeAt: Date | null;
  /** Calls that may try a suspended gateway. */
  readonly probes: number;
  readonly nextDialAt: Date | null;
  /** Further calls by its concurrency. */
  readonly lines: number;
  /** Further calls of batches by the lines that it keeps back; less than 0 if they have more since it keeps back more. */
  readonly unreserved: number;
  /** Further claims by its calls per second. */
  readonly turns: number;
  /** Further calls of the account by the operator's limit; null: no limit. */
  readonly ofAccount: number | null;
  /** Live calls by batch. */
  readonly liveOfBatch: Readonly<Record<string, number>>;
}

/** Agent slots of every region; calls of gateways that leave the region to us count for `auto`. */
export interface AgentRoom {
  readonly slots: Readonly<Record<string, number>>;
  /** Of these, what batches leave free. */
  readonly reserved: Readonly<Record<string, number>>;
  readonly taken: Readonly<Record<string, number>>;
  /** Of these, what batches have. */
  readonly ofBatches: Readonly<Record<string, number>>;
}

export interface DialingRoom {
  readonly gateways: ReadonlyMap<string, GatewayRoom>;
  readonly agents: AgentRoom;
}

/** What is read of a batch to say what its recipients wait for. */
export interface WaitingRow extends HoldFacts {
  readonly id: string;
  readonly gatewayId: string;
  readonly pending: number;
  readonly retrying: number;
  readonly answered: number;
  readonly inProgress: number;
  readonly startsAt: Date;
  readonly timezone: string;
  readonly callingWindow: unknown;
  readonly maxConcurrentCalls: unknown;
  readonly stopAfter: unknown;
  /** ISO instant at which it stops. */
  readonly until: unknown;
  readonly maxCost?: unknown;
  /** Of its calls so far. */
  readonly cost?: Pick<Cost, 'costMicros'> | null;
  readonly windowMoving: boolean;
  /** Counted with the counters; null if the batch is not running, or nobody waits. */
  readonly waits: BatchWaits | null;
  readonly room: DialingRoom;
}

const listOf = (zones: string): readonly string[] => (zones === '' ? [] : zones.split(','));
const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** Nothing more is dialed, at least until a conversation ends otherwise (db/functions/00-reached-stops.sql). */
const hasEnoughAnswers = ({ stopAfter, answered, inProgress }: WaitingRow): boolean => {
  const most = property(stopAfter, 'answered');
  return typeof most === 'number' && answered + inProgress >= most;
};

/** It has come to a stop that holds claim and gate, whether or not it has been stopped yet. */
const isToStop = ({ until, maxCost, cost }: WaitingRow, now: Date): boolean =>
  (typeof until === 'string' && Date.parse(until) <= now.getTime()) ||
  (typeof maxCost === 'number' && amountOf(cost?.costMicros ?? 0) >= maxCost);

/** What each limit leaves, by the rules of the claim. Simulated agents are always there. */
function roomOf(row: WaitingRow, calling: Calling): Room {
  const { id, gatewayId, maxConcurrentCalls, room } = row;
  const region = regionOf(row.region, calling);
  const { gateways, agents } = room;
  const own = gateways.get(gatewayId);
  const slots = agents.slots[region] ?? 0;
  const liveIn = (calls: Readonly<Record<string, number>>): number =>
    (calls[region] ?? 0) + (region === calling.defaultRegion ? (calls.auto ?? 0) : 0);
  const agentsForBatches = slots - (agents.reserved[region] ?? 0) - liveIn(agents.ofBatches);
  return {
    suspended: own?.suspended ?? false,
    probeAt: own?.probeAt ?? null,
    probes: own?.probes ?? 0,
    nextDialAt: own?.nextDialAt ?? null,
    numberFreeAt: dateOf(row.waits?.number?.[1] ?? null),
    limits: {
      number_limit: row.waits?.number?.[0] ?? Infinity,
      no_agent_slot: calling.simulated ? Infinity : slots - liveIn(agents.taken),
      batch_limit: hasEnoughAnswers(row)
        ? 0
        : (typeof maxConcurrentCalls === 'number' ? maxConcurrentCalls : Infinity) - (own?.liveOfBatch[id] ?? 0),
      gateway_limit: Math.min(own?.lines ?? 0, own?.ofAccount ?? Infinity),
      reserved: Math.min(own?.unreserved ?? 0, calling.simulated ? Infinity : agentsForBatches),
      gateway_rate: own?.turns ?? 0,
    },
  };
}

/** What the recipients of a batch wait for. */
export function waitsOf(
  row: WaitingRow,
  calling: Calling,
  now: Date,
): { readonly total: number; readonly waits: Waits[] } {
  const status = asBatchStatus(row.status);
  const total = isFinished(status) ? 0 : row.pending + row.retrying;
  const { groups = [], near = [], due = false, preDial } = row.waits ?? {};
  const waits = waitingOf({
    now,
    status,
    total,
    startsAt: row.startsAt,
    held: holdOf(row, calling).pausedReason ?? null,
    window: row.callingWindow === null ? null : storedWindow(row.callingWindow),
    stopped: isToStop(row, now),
    windowMoving: row.windowMoving,
    timezone: row.timezone,
    groups: groups.map(([zones, hold, until, calls]) => ({
      zones: listOf(zones),
      hold: hold === '' ? null : (hold as Hold),
      until: dateOf(until),
      calls,
    })),
    near: near.map(([zones, reason, until, calls]) => ({
      zones: listOf(zones),
      reason: reason as NearCalls['reason'],
      until: dateOf(until),
      calls,
    })),
    dueInQueue: due,
    room: roomOf(row, calling),
    preDial: preDial ? { cleared: preDial[0], failingUntil: dateOf(preDial[1]) } : undefined,
  });
  return { total, waits };
}
