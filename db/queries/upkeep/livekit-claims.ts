import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** Notes that a dialer has claimed the LiveKit of a region. */
export async function noteLiveKitClaim(db: Db, region: string): Promise<void> {
  await sql`
    insert into livekit_claims (region, claimed_at) values (${region}, clock_timestamp())
    on conflict (region) do update set claimed_at = excluded.claimed_at`.execute(db);
}

/** Dialers claim it once a minute; this is what two of them that are late leave. */
const heldSeconds = 150;

/** Whether dialers claim the LiveKit of a region now. Those of earlier versions, and of the simulator, claim none. */
export async function isLiveKitClaimed(db: Db, region: string): Promise<boolean> {
  const { rows } = await sql`
    select from livekit_claims
    where region = ${region} and claimed_at > clock_timestamp() - make_interval(secs => ${heldSeconds})`.execute(db);
  return rows.length > 0;
}
