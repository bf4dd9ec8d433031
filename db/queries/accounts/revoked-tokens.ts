import { sql } from 'kysely';
import type { Db } from '../../client.js';

export interface RevokedToken {
  readonly accountId: string;
  readonly keyId: string;
  readonly tokenHash: string;
  /** null: it does not expire. */
  readonly expiresAt: Date | null;
}

/** The token stops working with the commit. Forgets those that have expired since. @returns false if it was revoked before */
export async function revokeTokenRow(tx: Db, token: RevokedToken): Promise<boolean> {
  await tx
    .deleteFrom('revoked_tokens')
    .where('expires_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
  const row = await tx
    .insertInto('revoked_tokens')
    .values({
      token_hash: token.tokenHash,
      account_id: token.accountId,
      key_id: token.keyId,
      expires_at: token.expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Refuses all tokens of a key that were issued before a time, from the commit on. The time only moves forward.
 *
 * @param before omitted: now
 * @returns the key's account and the time that holds now, or null if there is no such key
 */
export async function refuseTokensBefore(
  tx: Db,
  keyId: string,
  before?: Date,
): Promise<{ readonly accountId: string; readonly notBefore: Date } | null> {
  const { rows } = await sql<{ accountId: string; notBefore: Date }>`
    update api_keys
    set tokens_not_before = greatest(tokens_not_before, coalesce(${before ?? null}::timestamptz, clock_timestamp()))
    where id = ${keyId}
    returning account_id as "accountId", tokens_not_before as "notBefore"`.execute(tx);
  return rows[0] ?? null;
}

/** A token that was revoked alone. */
export interface RevokedTokenRow extends RevokedToken {
  readonly revokedAt: Date;
}

/** Tokens that were revoked one by one and have not expired since, newest first. */
export async function listRevokedTokens(db: Db, accountId?: string): Promise<RevokedTokenRow[]> {
  const { rows } = await sql<RevokedTokenRow>`
    select token_hash as "tokenHash", account_id as "accountId", key_id as "keyId", expires_at as "expiresAt",
      revoked_at as "revokedAt"
    from revoked_tokens
    where (expires_at is null or expires_at > now()) and (${accountId ?? null}::text is null or account_id = ${accountId ?? null})
    order by revoked_at desc, token_hash`.execute(db);
  return rows;
}
