import { sql } from 'kysely';
import { setNumberLimits } from '../../../db/queries/telephony/number-limits.js';
import { type DialerTestEnv, type Gateway, noonZone } from './test-env.js';

/** The number of a gateway, which goes out by it. */
export async function ownNumber({ database: { db }, accountId }: DialerTestEnv, line: Gateway) {
  const number = await db
    .selectFrom('phone_numbers')
    .select(['id', 'e164'])
    .where('e164', '=', line.e164)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('number_gateways')
    .values({
      ...{ number_id: number.id, direction: 'outbound', gateway_id: line.id },
      ...{ account_id: accountId, e164: number.e164 },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return number;
}

/** Limits of the number of a gateway, as PATCH of the number sets them. */
export async function limitNumber(
  testEnv: DialerTestEnv,
  line: Gateway,
  limits: Parameters<typeof setNumberLimits>[3],
  timezone = noonZone(),
): Promise<void> {
  const number = await ownNumber(testEnv, line);
  const { db } = testEnv.database;
  await db.transaction().execute((tx) => setNumberLimits(tx, testEnv.accountId, number, limits, timezone));
}

/** Calls that the one number with limits has made today. */
export async function countedToday({ database: { db } }: DialerTestEnv): Promise<number | undefined> {
  const { rows } = await sql<{ calls: number }>`select calls from counted_numbers`.execute(db);
  return rows[0]?.calls;
}

/** Nothing is on its way any more: what is left waits for long. */
export async function atRest({ database: { db } }: DialerTestEnv): Promise<boolean> {
  const { rows } = await sql<{ idle: boolean }>`
    select bool_and(next_claim_at > clock_timestamp() + interval '1 minute')
      and not exists (select 1 from call_attempts where phase not in ('queued', 'ended')) as idle
    from gateway_admission`.execute(db);
  return rows[0]?.idle === true;
}

/** When INVITEs reached the carrier, in milliseconds since 1970, the earliest first. */
export const invitedAtMs = (testEnv: DialerTestEnv): number[] =>
  testEnv
    .ledger()
    .filter(({ event }) => event === 'invite')
    .map(({ at }) => new Date(at).getTime());

export const fourDialers = (testEnv: DialerTestEnv) => Promise.all(Array.from({ length: 4 }, () => testEnv.dialer()));
