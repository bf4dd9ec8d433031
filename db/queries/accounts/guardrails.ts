import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { type CallingHours, defaultGuardrails, type Guardrails } from '../../../domain/account/guardrails.js';
import {
  narrow,
  type NarrowedGuardrails,
  noOperatorLimits,
  type OperatorLimits,
} from '../../../domain/account/operator-limits.js';
import type { SignalName } from '../../../domain/workflow/contract.js';
import type { Db } from '../../client.js';
import { takeDialingLock } from '../dialer/dialing-lock.js';

/** An account's guardrails with what judging by them takes. */
export interface GuardrailsInForce {
  /** Held to what the operator allows. */
  readonly guardrails: NarrowedGuardrails;
  /** As the account has set them. */
  readonly own: Guardrails;
  readonly operator: OperatorLimits;
  /** Counts the changes; 0 while there has been none. */
  readonly revision: string;
  /** ISO 3166-1 alpha-2 codes of the account's own numbers. */
  readonly homeCountries: readonly string[];
  /** null while nothing was ever set. */
  readonly updatedAt: Date | null;
  /** All dialing of the account is stopped since then. */
  readonly dialingStoppedAt: Date | null;
}

interface Row {
  readonly revision: string | null;
  readonly callingHours: CallingHours | null;
  readonly maxAttempts: number | null;
  readonly allowedCountries: string[] | null;
  readonly refusePremiumRate: boolean | null;
  readonly refuseSatellite: boolean | null;
  readonly disclosure: string | null;
  readonly homeCountries: string[];
  readonly updatedAt: Date | null;
  readonly dialingStoppedAt: Date | null;
  readonly operator: OperatorLimits | null;
}

export async function guardrailsInForce(db: Db, accountId: string): Promise<GuardrailsInForce> {
  const { rows } = await sql<Row>`
    -- prepared
    select y.revision, y.calling_hours as "callingHours", y.max_attempts_per_number_per_day as "maxAttempts",
      y.allowed_countries as "allowedCountries", y.refuse_premium_rate as "refusePremiumRate",
      y.refuse_satellite as "refuseSatellite", y.disclosure, y.updated_at as "updatedAt",
      c.dialing_stopped_at as "dialingStoppedAt",
      nullif(current_setting('outdial.operator_limits', true), '')::jsonb as operator,
      array(select distinct n.country_code from phone_numbers n
        where n.account_id = c.id and n.country_code is not null and is_granted(c.id, 'number', n.e164)
        order by 1) as "homeCountries"
    from accounts c left join guardrails y on y.account_id = c.id
    where c.id = ${accountId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no account ${accountId}.`);
  const operator = { ...noOperatorLimits, ...row.operator };
  const own: Guardrails = {
    callingHours: row.callingHours,
    maxAttemptsPerNumberPerDay: row.maxAttempts,
    allowedCountries: row.allowedCountries,
    refusePremiumRate: row.refusePremiumRate ?? defaultGuardrails.refusePremiumRate,
    refuseSatellite: row.refuseSatellite ?? defaultGuardrails.refuseSatellite,
    disclosure: row.disclosure,
  };
  return {
    guardrails: narrow(operator, own, row.homeCountries),
    own,
    operator,
    revision: row.revision ?? '0',
    homeCountries: row.homeCountries,
    updatedAt: row.updatedAt,
    dialingStoppedAt: row.dialingStoppedAt,
  };
}

/**
 * Replaces the account's guardrails. Nothing that was judged by the earlier ones passes the gate after the commit, and what
 * waits because of them gets new times: batches through their workflows, single calls here. Wake the gateways after
 * the commit.
 */
export async function putGuardrails(tx: Db, accountId: string, guardrails: Guardrails): Promise<void> {
  const { callingHours, allowedCountries } = guardrails;
  const before = await tx
    .selectFrom('guardrails')
    .select(['calling_hours as callingHours', 'max_attempts_per_number_per_day as attemptsPerDay'])
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const values = {
    calling_hours: callingHours === null ? null : JSON.stringify(callingHours),
    max_attempts_per_number_per_day: guardrails.maxAttemptsPerNumberPerDay,
    allowed_countries: allowedCountries === null ? null : [...allowedCountries],
    refuse_premium_rate: guardrails.refusePremiumRate,
    refuse_satellite: guardrails.refuseSatellite,
    disclosure: guardrails.disclosure,
  };
  const { revision } = await tx
    .insertInto('guardrails')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({
        ...values,
        revision: sql`guardrails.revision + 1`,
        updated_at: sql`clock_timestamp()`,
      }),
    )
    .returning('revision')
    .executeTakeFirstOrThrow();
  await takeDialingLock(tx, accountId);
  // Calls wait for hours and for the next day; every other guardrail ends them.
  const waits = [before?.callingHours ?? null, before?.attemptsPerDay ?? null];
  if (isDeepStrictEqual(waits, [callingHours, guardrails.maxAttemptsPerNumberPerDay])) return;
  await retimeWaiting(tx, accountId, revision);
}

/** Locks as everywhere: batches, then attempts. Those who decide about a call hold the dialing lock, or wait for it. */
async function retimeWaiting(tx: Db, accountId: string, revision: string): Promise<void> {
  const reconsider: SignalName = 'reconsider';
  await sql`
    with moving as (
      update batches b set guardrails_moving = ${revision}
      from (select id from batches where account_id = ${accountId} and status = 'running' order by id for no key update) r
      where b.id = r.id
      returning b.id
    )
    insert into outbox (kind, name, workflow_id, input)
    select 'signal', ${reconsider}, id, '{}' from moving order by id`.execute(tx);
  await sql`
    update call_attempts a
    set due_at = clock_timestamp() + case when a.invite > 0 then interval '1 minute' else interval '0' end
    from gateways g
    where g.account_id = ${accountId} and a.gateway_id = g.id and a.lane = '' and a.phase = 'queued'
      and a.due_at > clock_timestamp() + interval '1 minute'`.execute(tx);
}

/** A number, and since when attempts to it are counted. */
export interface CountedSince {
  readonly e164: string;
  readonly since: Date;
}

/**
 * How often each of these numbers has been dialed since its instant, over all batches and single calls; attempts that
 * reached no carrier do not count, those whose calls have been deleted since do.
 */
export async function attemptsSince(db: Db, accountId: string, numbers: readonly CountedSince[]): Promise<number[]> {
  const { rows } = await sql<{ attempts: number }>`
    select (
      (select count(*) from calls c join call_attempts a on a.call_id = c.id
        where c.account_id = ${accountId} and c.to_number = z.e164 and a.dialed_at >= z.since
          and a.phase not in ('queued', 'claimed'))
      + (select count(*) from forgotten_attempts f
        where f.account_id = ${accountId} and f.number_hash = number_hash(${accountId}, z.e164)
          and f.dialed_at >= z.since))::integer as attempts
    from unnest(${numbers.map(({ e164 }) => e164)}::text[], ${numbers.map(({ since }) => since)}::timestamptz[])
      with ordinality as z (e164, since, place)
    order by z.place`.execute(db);
  return rows.map((row) => row.attempts);
}

/** Forgets attempts that no longer count for any day. */
export async function forgetOldAttempts(db: Db): Promise<void> {
  await sql`delete from forgotten_attempts where dialed_at < now() - interval '3 days'`.execute(db);
}
