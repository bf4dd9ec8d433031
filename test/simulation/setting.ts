import type { Db } from '../../db/client.js';
import { sql } from 'kysely';
import { putGuardrails } from '../../db/queries/accounts/guardrails.js';
import { lockPrices, putPrices } from '../../db/queries/accounts/prices.js';
import { queueNewCall } from '../../db/queries/calls/queue-attempts.js';
import { announceAgentWorker } from '../../db/queries/agents/workers.js';
import type { PreDial } from '../../domain/batch/pre-dial.js';
import { defaultGuardrails } from '../../domain/account/guardrails.js';
import type { NumberLimits } from '../../db/queries/telephony/number-limits.js';
import { preDialOf } from './pre-dial-setting.js';
import { hoursOf, turns, windowOf, type HoursPlan, type Turn } from './hours.js';
import { insertAccount, insertLiveAgent } from '../../bench/live-agent.js';

/** What a simulation is about: one account with these gateways, batches and single calls. */
export interface Setting {
  readonly begins: { readonly turn: Turn; readonly secondsBefore: number };
  /** Calling hours of the account, by the callees' own clocks; null: it has none. */
  readonly hours: HoursPlan | null;
  readonly gateways: readonly GatewaySetting[];
  readonly batches: readonly BatchSetting[];
  /** Places of the callees of single calls among the numbers. */
  readonly singles: readonly number[];
  /** Calls that the agents of the gateways' region take at once; null: agents are simulated, and always there. */
  readonly agents: number | null;
}

export interface GatewayLimits {
  readonly callsPerSecond: number;
  readonly maxConcurrentCalls: number;
  /** Less than all. */
  readonly reservedCalls: number;
}

export interface GatewaySetting extends GatewayLimits {
  /** Limits of the numbers that calls go out from; at least one number. Batches without a pool and single calls have the first. */
  readonly numbers: readonly NumberLimits[];
}

/** How retries of a batch choose among all numbers of its gateway. */
export type OnRetry = 'same' | 'other';

export interface BatchSetting {
  /** Place among the gateways. */
  readonly gateway: number;
  readonly retryDelaysSeconds: readonly number[];
  readonly maxConcurrentCalls: number | null;
  /** Its calling window; null: it has none. */
  readonly window: HoursPlan | null;
  /** It waits for more recipients until it is closed. */
  readonly open: boolean;
  /** It is made from all numbers of its gateway, and its retries choose so; null: from the first alone. */
  readonly pool: OnRetry | null;
  /** Answers after which it stops; null: any number. */
  readonly stopAfter: number | null;
  /** The same of calls that were a success; there is no more than one of the two. */
  readonly stopAfterSuccess: number | null;
  /** Calls whose cost stops it: each that was answered costs the same; null: any number. */
  readonly maxCost: number | null;
  /** Seconds from the beginning at which it stops; null: never. */
  readonly untilSeconds: number | null;
  /** What becomes of those of whom the endpoint says nothing usable that is asked before its calls; null: none is asked. */
  readonly preDial: PreDial['onError'] | null;
  /** 1 to 9. */
  readonly priority: number;
  /** Places of its callees among the numbers. */
  readonly callees: readonly number[];
}

export const accountId = 'acc_simulated';
const agentId = 'agent_simulated';
const versionId = 'ver_simulated';
/** Of all gateways and agents. */
export const region = 'default';

export const gatewayId = (place: number): string => `gw_${place}`;
export const batchId = (place: number): string => `batch_${place}`;
/** Area codes of the numbers of a gateway: callees live in some of them. */
const ownAreas = ['212', '312', '602'] as const;
export const fromNumber = (gateway: number, place = 0): string => `+1${ownAreas[place] ?? '917'}555010${gateway}`;
export const numberIdOf = (gateway: number, place = 0): string => `num_${gateway}_${place}`;
/** By its clock a day of a number begins. */
export const zoneOfNumbers = 'America/New_York';
/** Beginning of a scenario. */
export const beginningOf = ({ begins: { turn, secondsBefore } }: Pick<Setting, 'begins'>): number =>
  turns[turn] - secondsBefore * 1_000;
/** Area codes of numbers, each of one time zone. */
const areas = [
  { code: '212', zone: 'America/New_York' },
  { code: '312', zone: 'America/Chicago' },
  { code: '917', zone: 'America/New_York' },
  { code: '602', zone: 'America/Phoenix' },
] as const;
const areaAt = (place: number) => areas[place % areas.length] ?? areas[0];
export const numberAt = (place: number): string => `+1${areaAt(place).code}555${String(100 + place).padStart(4, '0')}`;
/** The time zone of a number. */
export const zoneOf = (e164: string): string => areas.find(({ code }) => e164.startsWith(code, 2))?.zone ?? 'UTC';
export const callsPerWorkflow = 3;
/** What an answered call costs, in millionths: a minute that was begun. None talks for longer. */
export const costOfCall = 1_000_000;

/** Ids in the order in which calls are made. */
export const callIdAt = (place: number): string => `01900000-0000-7000-8000-${place.toString(16).padStart(12, '0')}`;

/** A call of the setting, as it is told in advance. */
export interface PlannedCall {
  readonly callId: string;
  /** null: a single call. */
  readonly batch: string | null;
  readonly to: string;
  readonly retryDelaysSeconds: readonly number[];
}

/** All calls, in the order in which they are made. */
export function plannedCalls({ batches, singles }: Setting): PlannedCall[] {
  const ofBatches = batches.flatMap(({ callees, retryDelaysSeconds }, place) =>
    callees.map((callee) => ({ batch: batchId(place), to: numberAt(callee), retryDelaysSeconds })),
  );
  const single = singles.map((callee) => ({ batch: null, to: numberAt(callee), retryDelaysSeconds: [] }));
  return [...ofBatches, ...single].map((call, place) => ({ ...call, callId: callIdAt(place) }));
}

/** Fills the setting into a database that is empty, or has been emptied. */
export async function setUp(db: Db, setting: Setting, nowMs: number): Promise<void> {
  const { begins, hours, gateways, batches, singles, agents } = setting;
  const now = new Date(nowMs);
  await insertAccount(db, accountId, 'Simulated');
  // With it questions to the endpoint that is asked before calls are signed.
  await db
    .updateTable('accounts')
    .set({ webhook_secret_sealed: `whsec_${'A'.repeat(32)}` })
    .execute();
  await insertLiveAgent(db, accountId, { agentId, versionId, deploymentId: 'dep_simulated' });
  await db
    .insertInto('routing_rules')
    .values({ id: 'rule_simulated', account_id: accountId, type: 'outbound', name: 'Rule', agent_id: agentId })
    .execute();
  for (const [place, gateway] of gateways.entries()) {
    const id = gatewayId(place);
    await db
      .insertInto('gateways')
      .values({
        ...{ id, account_id: accountId, direction: 'outbound', name: 'Trunk', sip_region: 'default', transport: 'tls' },
        ...{ address: 'sip.example.com', calls_per_second: gateway.callsPerSecond },
        max_concurrent_calls: gateway.maxConcurrentCalls,
        reserved_calls: gateway.reservedCalls,
      })
      .execute();
    await db
      .insertInto('gateway_admission')
      .values({ gateway_id: id, account_id: accountId, pace_changed_at: now, concurrency_changed_at: now })
      .execute();
    const isPool = batches.some((batch) => batch.gateway === place && batch.pool !== null);
    for (const [at, limits] of gateway.numbers.entries()) await makeNumber(db, place, at, limits, isPool, now);
  }
  const callingHours = hours === null ? null : hoursOf(hours, begins.turn);
  if (callingHours !== null) {
    await db.transaction().execute((tx) => putGuardrails(tx, accountId, { ...defaultGuardrails, callingHours }));
  }
  if (agents !== null) await announceAgents(db, agents);
  if (batches.some(({ maxCost }) => maxCost !== null)) {
    const price = { gatewayId: null, country: null, incrementSeconds: 60, minimumSeconds: 60 };
    await db.transaction().execute(async (tx) => {
      await lockPrices(tx, accountId, 'USD');
      await putPrices(tx, accountId, { currency: 'USD', calls: [{ ...price, perMinuteMicros: costOfCall }] });
    });
  }
  let calls = 0;
  for (const [place, batch] of batches.entries()) {
    const id = batchId(place);
    const window = windowOf(batch.window, begins.turn);
    const retries = batch.retryDelaysSeconds.length > 0;
    await db
      .insertInto('batches')
      .values({
        ...{ id, account_id: accountId, name: 'Batch', number_id: numberIdOf(batch.gateway) },
        from_number: fromNumber(batch.gateway),
        ...{ rule_id: 'rule_simulated', gateway_id: gatewayId(batch.gateway), agent_id: agentId, status: 'running' },
        ...{ timing: 'immediate', timezone: 'UTC', starts_at: now, started_at: now, created_at: now, updated_at: now },
        ...{ calls_per_workflow: callsPerWorkflow, records_uploaded: batch.callees.length },
        ...{ retry_enabled: retries, retry_on: retries ? ['rejected', 'not-answered', 'missed', 'failed'] : [] },
        retry_delays_seconds: [...batch.retryDelaysSeconds],
        max_concurrent_calls: batch.maxConcurrentCalls,
        phone_numbers: batch.pool === null ? null : numbersOf(setting, batch.gateway),
        number_on_retry: batch.pool,
        stop_after_answered: batch.stopAfter,
        stop_after_success: batch.stopAfter === null ? batch.stopAfterSuccess : null,
        max_cost: batch.maxCost === null ? null : String(batch.maxCost * costOfCall),
        stop_at: batch.untilSeconds === null ? null : new Date(nowMs + batch.untilSeconds * 1_000),
        pre_dial: batch.preDial === null ? null : JSON.stringify(preDialOf(batch.preDial)),
        priority: batch.priority,
        open: batch.open,
        calling_window: window === null ? null : JSON.stringify(window),
        webhook_endpoint: 'https://example.com/hook',
        webhook_events: ['batchcall-completed'],
      })
      .execute();
    await db.insertInto('batch_counters').values({ batch_id: id, pending: batch.callees.length }).execute();
    for (const [position, callee] of batch.callees.entries()) {
      await makeCall(db, calls, {
        batchId: id,
        position,
        gateway: batch.gateway,
        callee,
        now,
        placed: window?.timezone === 'recipient',
      });
      calls += 1;
    }
  }
  for (const callee of singles) {
    const place = calls;
    await makeCall(db, place, {
      batchId: null,
      position: null,
      gateway: callee % gateways.length,
      callee,
      now,
      placed: false,
    });
    // As its request does; calls of an earlier api are queued by their workflows.
    if (isQueuedByRequest(callIdAt(place))) await queueNewCall(db, accountId, callIdAt(place));
    calls += 1;
  }
}

/** The numbers that calls by a gateway go out from. */
export const numbersOf = ({ gateways }: Pick<Setting, 'gateways'>, gateway: number): string[] =>
  (gateways[gateway]?.numbers ?? []).map((_limits, place) => fromNumber(gateway, place));

async function makeNumber(
  db: Db,
  gateway: number,
  place: number,
  { maxCallsPerDay, minSecondsBetweenCalls }: NumberLimits,
  isPool: boolean,
  now: Date,
): Promise<void> {
  const [id, number] = [numberIdOf(gateway, place), { account_id: accountId, e164: fromNumber(gateway, place) }];
  await db
    .insertInto('phone_numbers')
    .values({ ...number, id, name: 'Line' })
    .execute();
  await db
    .insertInto('number_gateways')
    .values({ ...number, number_id: id, gateway_id: gatewayId(gateway), direction: 'outbound' })
    .execute();
  await db
    .insertInto('rule_numbers')
    .values({ ...number, number_id: id, rule_id: 'rule_simulated', type: 'outbound', position: 0 })
    .execute();
  if (!isPool && maxCallsPerDay === null && minSecondsBetweenCalls === null) return;
  await db
    .insertInto('counted_numbers')
    .values({
      ...number,
      number_id: id,
      timezone: zoneOfNumbers,
      day: sql<string>`(${now}::timestamptz at time zone ${zoneOfNumbers})::date`,
      max_calls_per_day: maxCallsPerDay,
      min_seconds_between_calls: minSecondsBetweenCalls,
    })
    .execute();
}

/** Whether a single call is in the queue before its workflow begins: every other one. */
export const isQueuedByRequest = (callId: string): boolean => parseInt(callId.slice(-1), 16) % 2 === 0;

/** Agents of the one region, who say that they are there until they say something else. */
export async function announceAgents(db: Db, slots: number): Promise<void> {
  await announceAgentWorker(db, { id: 'worker', region, slots, used: 0, state: 'ready' });
  await sql`update agent_workers set seen_at = 'infinity'`.execute(db);
}

interface CallSetting {
  readonly batchId: string | null;
  readonly position: number | null;
  readonly gateway: number;
  readonly callee: number;
  readonly now: Date;
  /** Its time zone is stored, as for a window that follows the callees' clocks. */
  readonly placed: boolean;
}

async function makeCall(db: Db, place: number, call: CallSetting): Promise<void> {
  await db
    .insertInto('calls')
    .values({
      ...{ id: callIdAt(place), account_id: accountId, batch_id: call.batchId, position: call.position },
      ...{
        to_number: numberAt(call.callee),
        from_number: fromNumber(call.gateway),
        rule_id: 'rule_simulated',
        agent_id: agentId,
      },
      ...{ gateway_id: gatewayId(call.gateway), created_at: call.now, updated_at: call.now },
      time_zones: call.placed ? [zoneOf(numberAt(call.callee))] : null,
    })
    .execute();
}
