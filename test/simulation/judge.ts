import { sql } from 'kysely';
import type { Db } from '../../db/client.js';
import { nextOpening, type CallingWindow } from '../../domain/calling-window.js';
import { windowsOf } from '../../telephony/simulator/trunk.js';
import { refText, type CarrierLeg } from './carrier.js';
import { batchId, callIdAt, gatewayId, numberAt, windowClosingAfter, type Setting } from './world.js';

/** Longer than this after the gate, a process that stood still must not send (dialer/dial-pipeline.ts). */
const frozenMs = 2_000;
/** The gate lets an attempt through so much before its slot. */
const earlySeconds = 0.02;

/** What was answered to whoever gave an order, and what it forbids from then on. */
export interface Order {
  /** Nothing more is let out to these, as the order was answered at this step; undefined takes it back. */
  forbid(what: Forbidden, step: number | undefined): void;
  /** The window of a batch: as of this step nothing else holds; without a step, either may until it is answered. */
  window(batch: string, window: CallingWindow | null, step: number | undefined): void;
}

export type Forbidden =
  | { readonly kind: 'batch'; readonly id: string }
  | { readonly kind: 'paused'; readonly id: string }
  | { readonly kind: 'number'; readonly id: string }
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'account'; readonly id: 'all' };

export interface CheckEligibility extends Order {
  readonly violations: readonly string[];
  /** PostgreSQL has let these through its gate, at this step. */
  gated(rows: readonly unknown[], step: number, atMs: number): void;
  /** An INVITE leaves. */
  invited(leg: CarrierLeg): void;
  /** What must hold at any moment, read from the database. */
  look(db: Db): Promise<void>;
  /** What must hold when nothing is left to do. */
  lookAtEnd(db: Db): Promise<void>;
  say(violation: string): void;
}

interface Gate {
  readonly step: number;
  readonly atMs: number;
}

interface KnownCall {
  readonly batch: string | null;
  readonly gateway: string;
  readonly to: string;
  readonly most: number;
}

/** Watches one simulation: it knows the setting, what the carrier was sent, and what was answered to whom. */
export function createEligibilityCheck(setting: Setting, nowMs: () => number): CheckEligibility {
  const violations: string[] = [];
  const legs: CarrierLeg[] = [];
  const gates = new Map<string, Gate>();
  const gatedAtMs = new Map<string, number[]>();
  const forbidden = new Map<string, number>();
  const calls = callsOf(setting);
  const windows = new Map<
    string,
    { current: CallingWindow | null; either: (CallingWindow | null)[]; sinceStep: number }
  >();
  for (const [place, { closesAfterMinutes }] of setting.batches.entries()) {
    const current = closesAfterMinutes === null ? null : windowClosingAfter(closesAfterMinutes);
    windows.set(batchId(place), { current, either: [current], sinceStep: 0 });
  }
  const say = (violation: string): void => void violations.push(violation);
  const keyOf = ({ kind, id }: Forbidden): string => `${kind} ${id}`;

  function judgeOrders(leg: CarrierLeg, call: KnownCall, gate: Gate): void {
    const orders: Forbidden[] = [
      { kind: 'number', id: call.to },
      { kind: 'call', id: leg.ref.callId },
      { kind: 'account', id: 'all' },
      ...(call.batch === null
        ? []
        : [
            { kind: 'batch' as const, id: call.batch },
            { kind: 'paused' as const, id: call.batch },
          ]),
    ];
    for (const order of orders) {
      const since = forbidden.get(keyOf(order));
      if (since !== undefined && since < gate.step) {
        say(`INVITE ${refText(leg.ref)} passed the gate after it was forbidden: ${keyOf(order)}`);
      }
    }
  }

  function judgeWindow(leg: CarrierLeg, call: KnownCall, gate: Gate): void {
    const known = call.batch === null ? undefined : windows.get(call.batch);
    if (known === undefined) return;
    const holding = gate.step > known.sinceStep ? [known.current] : known.either;
    const at = new Date(gate.atMs);
    const open = (window: CallingWindow | null): boolean =>
      window === null || nextOpening(window, [window.timezone], at)?.opensAt.getTime() === at.getTime();
    if (!holding.some(open))
      say(`INVITE ${refText(leg.ref)} left outside of its calling window, at ${at.toISOString()}`);
  }

  function judgeLimits(leg: CarrierLeg, call: KnownCall): void {
    const live = legs.filter((other) => other.endedMs === null && other !== leg);
    if (live.some((other) => other.to === leg.to)) say(`INVITE ${refText(leg.ref)}: ${leg.to} is in a call already`);
    const place = setting.gateways.findIndex((_gateway, index) => gatewayId(index) === call.gateway);
    const limit = setting.gateways[place]?.maxConcurrentCalls ?? 0;
    const onGateway = live.filter((other) => other.ref.gatewayId === call.gateway).length + 1;
    if (onGateway > limit) say(`${call.gateway} has ${onGateway} live calls, ${limit} are allowed`);
    const batch = setting.batches.findIndex((_batch, index) => batchId(index) === call.batch);
    const ofBatch = live.filter((other) => calls.get(other.ref.callId)?.batch === call.batch).length + 1;
    const batchLimit = setting.batches[batch]?.maxConcurrentCalls ?? Infinity;
    if (ofBatch > batchLimit) say(`${batchId(batch)} has ${ofBatch} live calls, ${batchLimit} are allowed`);
  }

  function judgeHistory(leg: CarrierLeg, call: KnownCall): void {
    const { callId, attempt, invite } = leg.ref;
    const before = legs.filter((other) => other.ref.callId === callId && other !== leg);
    for (const other of before) {
      const same = other.ref.attempt === attempt;
      const words = `INVITE ${refText(leg.ref)} after ${refText(other.ref)}`;
      if (same && other.ref.invite === invite) say(`INVITE ${refText(leg.ref)} was sent twice`);
      else if (other.endedMs === null) say(`${words}, which is live`);
      else if (same && !other.free) say(`${words}, which the carrier had taken`);
      else if (other.answeredMs !== null) say(`${words}, which was answered`);
      if (other.ref.attempt > attempt || (same && other.ref.invite > invite)) say(`${words}: backwards`);
    }
    if (attempt > call.most) say(`INVITE ${refText(leg.ref)}: the retry plan has ${call.most} attempts`);
  }

  return {
    violations,
    say,
    forbid(what, step) {
      if (step === undefined) forbidden.delete(keyOf(what));
      else if (!forbidden.has(keyOf(what))) forbidden.set(keyOf(what), step);
    },
    window(batch, window, step) {
      const known = windows.get(batch);
      if (known === undefined) return;
      if (step === undefined) known.either.push(window);
      else Object.assign(known, { current: window, either: [window], sinceStep: step });
      if (step === undefined) known.sinceStep = Infinity;
    },
    gated(rows, step, atMs) {
      for (const row of rows) {
        if (typeof row !== 'object' || row === null || !('callId' in row) || !('number' in row)) continue;
        if (!('refusal' in row) || row.refusal !== null) continue;
        gates.set(`${String(row.callId)}/${String(row.number)}`, { step, atMs });
        const gateway = calls.get(String(row.callId))?.gateway ?? '';
        const instants = gatedAtMs.get(gateway) ?? [];
        gatedAtMs.set(gateway, instants);
        instants.push(atMs);
        judgeRate(gateway, instants);
      }
    },
    invited(leg) {
      const call = calls.get(leg.ref.callId);
      const gate = gates.get(`${leg.ref.callId}/${leg.ref.attempt}`);
      legs.push(leg);
      if (call === undefined || gate === undefined) {
        say(`INVITE ${refText(leg.ref)} never passed the gate`);
        return;
      }
      if (nowMs() - gate.atMs > frozenMs)
        say(`INVITE ${refText(leg.ref)} left ${nowMs() - gate.atMs} ms after the gate`);
      judgeHistory(leg, call);
      judgeLimits(leg, call);
      judgeOrders(leg, call, gate);
      judgeWindow(leg, call, gate);
    },
    async look(db) {
      const { rows } = await sql<{ words: string }>`${badCounters}`.execute(db);
      for (const { words } of rows) say(words);
    },
    async lookAtEnd(db) {
      await this.look(db);
      const { rows } = await sql<{ words: string }>`${leftOver}`.execute(db);
      for (const { words } of rows) say(words);
      for (const leg of legs) if (leg.endedMs === null) say(`leg ${refText(leg.ref)} goes on`);
      await compareRecords(db);
    },
  };

  function judgeRate(gateway: string, instants: readonly number[]): void {
    const place = setting.gateways.findIndex((_gateway, index) => gatewayId(index) === gateway);
    const rate = setting.gateways[place]?.callsPerSecond ?? 0;
    const last = instants.at(-1) ?? 0;
    for (const { seconds, most } of windowsOf(rate)) {
      const allowed = most + Math.ceil(rate * earlySeconds);
      const count = instants.filter((instant) => instant > last - seconds * 1000).length;
      if (count > allowed) say(`${gateway} let out ${count} calls in ${seconds} s, ${rate} per second are allowed`);
    }
  }

  /** What the carrier saw is what the records say. */
  async function compareRecords(db: Db): Promise<void> {
    const records = await db.selectFrom('calls').select(['id', 'status', 'reason', 'attempts_made']).execute();
    for (const { id, status, reason, attempts_made: made } of records) {
      const own = legs.filter((leg) => leg.ref.callId === id);
      const answered = own.some((leg) => leg.answeredMs !== null);
      if (answered !== (status === 'answered')) {
        say(`call ${id} is ${status} (${reason ?? 'no reason'}), the carrier says ${answered ? '' : 'not '}answered`);
      }
      const taken = new Set(own.filter((leg) => !leg.free).map((leg) => leg.ref.attempt)).size;
      if (taken > made) say(`call ${id} has made ${made} attempts, the carrier took ${taken}`);
      if (own.length === 0 && ['rejected', 'not-answered', 'missed'].includes(status)) {
        say(`call ${id} is ${status}, and the carrier never heard of it`);
      }
    }
  }
}

function callsOf({ gateways, batches, singles }: Setting): Map<string, KnownCall> {
  const calls: KnownCall[] = [];
  for (const [place, { callees, gateway, retryDelaysSeconds }] of batches.entries()) {
    for (const callee of callees) {
      const most = retryDelaysSeconds.length + 1;
      calls.push({ batch: batchId(place), gateway: gatewayId(gateway), to: numberAt(callee), most });
    }
  }
  for (const callee of singles) {
    calls.push({ batch: null, gateway: gatewayId(callee % gateways.length), to: numberAt(callee), most: 1 });
  }
  return new Map(calls.map((call, place) => [callIdAt(place), call]));
}

const badCounters = sql`
  select 'counters of ' || k.batch_id || ' are not the counts of its calls' as words
  from batch_counters k cross join lateral (
    select count(*) filter (where c.status = 'pending') as pending,
      count(*) filter (where c.status = 'dialing') as dialing,
      count(*) filter (where c.status = 'in-progress') as in_progress,
      count(*) filter (where c.status = 'retrying') as retrying,
      count(*) filter (where c.status = 'answered') as answered, count(*) filter (where c.status = 'failed') as failed,
      count(*) filter (where c.status = 'not-answered') as not_answered,
      count(*) filter (where c.status = 'rejected') as rejected, count(*) filter (where c.status = 'missed') as missed,
      count(*) filter (where c.status = 'abandoned') as abandoned,
      count(*) filter (where c.status = 'cancelled') as cancelled, coalesce(sum(c.attempts_made), 0) as attempts
    from calls c where c.batch_id = k.batch_id) n
  where (k.pending, k.dialing, k.in_progress, k.retrying, k.answered, k.failed, k.not_answered, k.rejected, k.missed,
      k.abandoned, k.cancelled, k.attempts)
    is distinct from (n.pending, n.dialing, n.in_progress, n.retrying, n.answered, n.failed, n.not_answered, n.rejected,
      n.missed, n.abandoned, n.cancelled, n.attempts)`;

const leftOver = sql`
  select 'call ' || id || ' is ' || status || ', and nothing is left to do' as words from calls where not settled
  union all
  select 'attempt ' || call_id || '/' || number || ' is ' || phase from call_attempts where phase <> 'ended'
  union all
  select id || ' is ' || status from batches where status not in ('completed', 'cancelled')
  union all
  select b.id || ' has told of its end ' || count(d.id) || ' times' from batches b
    left join webhook_deliveries d on d.batch_id = b.id and d.event = 'batchcall-completed'
    group by b.id having count(d.id) <> 1
  union all
  select 'attempt ' || call_id || '/' || number || ' was not told to its workflow' from call_attempts
    where phase = 'ended' and reported_at is null`;
