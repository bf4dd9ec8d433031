import { sql } from 'kysely';
import type { Db } from '../../client.js';

export interface Listener {
  /** The bare UUID, in the identity of the participant. */
  readonly id: string;
  readonly accountId: string;
  /** Name of the LiveKit that has the room. */
  readonly region: string;
  readonly room: string;
}

export interface NewListener extends Listener {
  readonly keyId: string;
  /** `revocationHash` of the token that asked for the place. */
  readonly tokenHash: string;
  /** `issuedSecondsOf` it. */
  readonly tokenIssuedSeconds: number | null;
}

/** Stores a place before it is handed out: it can be taken back from then on. */
export async function insertListener(db: Db, listener: NewListener): Promise<void> {
  await db
    .insertInto('listeners')
    .values({
      id: listener.id,
      account_id: listener.accountId,
      key_id: listener.keyId,
      token_hash: listener.tokenHash,
      token_issued_seconds: listener.tokenIssuedSeconds,
      region: listener.region,
      room: listener.room,
    })
    .execute();
}

/** A listener who has not left by then is not in a conversation. */
const longestHours = 12;
/** LiveKit renews the tokens of participants for ten minutes; with them one who was taken out could come back. */
const comesBackMinutes = 15;

/**
 * Listeners that may no longer hear: their token is revoked, its key deactivated or ended, or the account suspended, by the rule of
 * `findActiveKey`; or their place is twelve hours old. A token that only expires was good when it asked. Each is given again and again,
 * until LiveKit no longer accepts a token that the listener may still have.
 */
export async function refusedListeners(db: Db): Promise<Listener[]> {
  const { rows } = await sql<Listener>`
    with refused as (
      update listeners l set refused_at = now()
      where l.refused_at is null and (
        l.created_at < now() - make_interval(hours => ${longestHours})
        or exists (select from revoked_tokens r where r.token_hash = l.token_hash)
        or not exists (
          select from api_keys k join accounts c on c.id = k.account_id
          where k.id = l.key_id and k.active and c.suspended_at is null
            and (k.expires_at is null or k.expires_at > now())
            and (k.tokens_not_before is null or l.token_issued_seconds >= extract(epoch from k.tokens_not_before))
        )
      )
      returning l.id, l.account_id, l.region, l.room
    )
    select id, account_id as "accountId", region, room from refused
    union all
    select id, account_id, region, room from listeners where refused_at is not null`.execute(db);
  return rows;
}

/** Forgets listeners that were taken out and cannot come back. @param ids those that LiveKit has said are out */
export async function forgetListeners(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    delete from listeners
    where id = any(${[...ids]}::uuid[]) and refused_at < now() - make_interval(mins => ${comesBackMinutes})`.execute(
    db,
  );
}
