import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Db } from '../../client.js';
import type { DB } from '../../types.js';
import {
  afterSignOf,
  isUntroubled,
  type GatewayHealth,
  type GatewaySign,
} from '../../../domain/call/gateway-health.js';
import { type UnsentReason, unsentForgottenSeconds } from '../../../domain/call/unsent.js';

/** A sign of one end about its gateway; for `channels`, how many calls were live is filled in here. */
export interface GatewayEnd {
  readonly gatewayId: string;
  /** When the INVITE was let out. */
  readonly dialedAt: Date;
  readonly sign: GatewaySign;
}

/**
 * Takes the signs of a flush into account, in their order. A gateway that is well and stays well is neither locked nor
 * written: on a good day this costs one read. Time is the database's, by which claim and gate compare it.
 */
export async function writeGatewayHealth(tx: Transaction<DB>, ends: readonly GatewayEnd[]): Promise<void> {
  if (ends.length === 0) return;
  // In one order, so that two flushes over the same gateways cannot deadlock.
  const gatewayIds = [...new Set(ends.map((end) => end.gatewayId))].sort();
  const unlocked = await readHealth(tx, gatewayIds);
  for (const gatewayId of gatewayIds) {
    const signs = ends.filter((end) => end.gatewayId === gatewayId);
    const state = unlocked.get(gatewayId);
    const isWell = state === undefined || isUntroubled(state.health);
    if (isWell && signs.every(({ sign }) => sign.kind === 'normal')) continue;
    await sql`select 1 from gateway_admission where gateway_id = ${gatewayId} for no key update`.execute(tx);
    const before = (await readHealth(tx, [gatewayId])).get(gatewayId);
    if (before === undefined) continue;
    const after = signs.reduce(
      (health, { sign, dialedAt }) => afterSignOf(health, sign, dialedAt, before.now, before.callsPerSecond),
      before.health,
    );
    await tx
      .updateTable('gateway_admission')
      .set({
        recent_faults: after.recentFaults,
        consecutive_silences: after.consecutiveSilences,
        pace: after.pace,
        pace_changed_at: after.paceChangedAt,
        concurrency_cap: after.concurrencyCap,
        concurrency_changed_at: after.concurrencyChangedAt,
        suspended_since: after.suspendedSince,
        probe_at: after.probeAt,
        probe_delay_seconds: after.probeDelaySeconds,
        suspended_reason: after.suspendedReason,
        unsent_since: after.unsentSince,
        unsent_at: after.unsentAt,
        unsent_reason: after.unsentReason,
        updated_at: before.now,
      })
      .where('gateway_id', '=', gatewayId)
      .execute();
  }
}

interface ReadHealth {
  readonly health: GatewayHealth;
  readonly callsPerSecond: number;
  readonly now: Date;
}

async function readHealth(tx: Transaction<DB>, gatewayIds: readonly string[]): Promise<Map<string, ReadHealth>> {
  const { rows } = await sql<GatewayHealth & { gatewayId: string; callsPerSecond: number; now: Date }>`
    -- prepared
    select w.gateway_id as "gatewayId", w.recent_faults as "recentFaults", w.consecutive_silences as "consecutiveSilences",
      w.pace, w.pace_changed_at as "paceChangedAt", w.concurrency_cap as "concurrencyCap",
      w.concurrency_changed_at as "concurrencyChangedAt", w.suspended_since as "suspendedSince", w.probe_at as "probeAt",
      w.probe_delay_seconds as "probeDelaySeconds", w.suspended_reason as "suspendedReason",
      w.unsent_since as "unsentSince", w.unsent_at as "unsentAt", w.unsent_reason as "unsentReason",
      g.calls_per_second as "callsPerSecond", clock_timestamp() as now
    from gateway_admission w join gateways g on g.id = w.gateway_id
    where w.gateway_id = any(${gatewayIds}::text[])`.execute(tx);
  return new Map(
    rows.map(({ gatewayId, callsPerSecond, now, ...health }) => [gatewayId, { health, callsPerSecond, now }]),
  );
}

/** Of a row of gateway_admission: what is known of calls that were not sent is not over. */
const isUnsentLately = sql`unsent_at > clock_timestamp() - make_interval(secs => ${unsentForgottenSeconds})`;

/**
 * Notes, at most every five seconds, that the provider could not prepare a call of the gateway.
 *
 * @returns for how many seconds the provider has sent none of its calls
 */
export async function noteUnprepared(db: Db, gatewayId: string, reason: UnsentReason): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    with noted as (
      update gateway_admission
      set unsent_since = case when ${isUnsentLately} then unsent_since else clock_timestamp() end,
        unsent_at = clock_timestamp(), unsent_reason = ${reason}
      where gateway_id = ${gatewayId}
        and (unsent_at is null or unsent_at < clock_timestamp() - interval '5 seconds' or unsent_reason <> ${reason})
      returning unsent_since)
    select extract(epoch from clock_timestamp() - coalesce((select unsent_since from noted), g.unsent_since))::float8 as seconds
    from gateway_admission g where g.gateway_id = ${gatewayId}`.execute(db);
  return rows[0]?.seconds ?? 0;
}

/**
 * `Unsent` of a gateway, as JSON; null if its calls are sent, as far as is known. It is shown once it has lasted: a server that was
 * busy for a moment alarms no one.
 *
 * @param gatewayId of the gateway, as SQL
 */
export const unsentOf = (gatewayId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select json_build_object('since', s.since, 'reason', u.unsent_reason) from gateway_admission u
  cross join lateral (
    select greatest(u.unsent_since, max(x.dialed_at)) as since from call_attempts x
    where x.gateway_id = u.gateway_id and x.phase in ('ringing', 'answered')) s
  where u.gateway_id = ${gatewayId} and ${isUnsentLately} and u.unsent_at > s.since
    and s.since < statement_timestamp() - interval '5 seconds')`;

/**
 * Suspends a gateway by whose settings no INVITE can be made, with the reason for its account to read; the next probe comes
 * after 30 s, then after twice as long, up to 10 min.
 */
export async function suspendGateway(db: Db, gatewayId: string, reason: string): Promise<void> {
  await sql`
    update gateway_admission set suspended_since = coalesce(suspended_since, clock_timestamp()), suspended_reason = ${reason},
      probe_delay_seconds = z.delay, probe_at = clock_timestamp() + make_interval(secs => z.delay),
      updated_at = clock_timestamp()
    from (select least(600, coalesce(probe_delay_seconds * 2, 30)) as delay
      from gateway_admission where gateway_id = ${gatewayId}) z
    where gateway_id = ${gatewayId} and (suspended_since is null or probe_at <= clock_timestamp() + interval '10 seconds')`.execute(
    db,
  );
}
