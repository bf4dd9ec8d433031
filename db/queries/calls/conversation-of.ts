import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** One conversation of a call, which is named by its bare UUID. */
export interface ConversationRef {
  readonly accountId: string;
  readonly callId: string;
  /** The attempt that it was; omitted: the latest one. */
  readonly attempt?: number;
}

/** Number of the latest attempt of the call `c` that was answered and is over. */
export const latestConversation = sql`(
  select max(a.number) from call_attempts a where a.call_id = c.id and a.phase = 'ended' and a.outcome = 'answered')`;

/**
 * Whether nobody has talked to the callee since. The call is locked until the transaction ends: its next conversation ends before
 * this, or finds what is written now.
 */
export async function lockConversation(tx: Db, { accountId, callId, attempt }: ConversationRef): Promise<boolean> {
  await sql`select 1 from calls where id = ${callId} and account_id = ${accountId} for no key update`.execute(tx);
  if (attempt === undefined) return true;
  // A statement of its own: it sees what was committed until the call was locked.
  const { rows } = await sql<{ latest: number | null }>`
    select ${latestConversation} as latest from calls c
    where c.id = ${callId} and c.account_id = ${accountId}`.execute(tx);
  return (rows[0]?.latest ?? attempt) <= attempt;
}
