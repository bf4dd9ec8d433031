import { sql } from 'kysely';
import type { Analysis, AnalysisError } from '../../../domain/agent/call-analysis.js';
import type { Db } from '../../client.js';
import { lockBatchThatStops, stopReached } from '../batches/stop.js';
import { announceAttempts } from '../dialer/announce-attempts.js';
import { asJson } from '../dialer/columns.js';
import { callAgainIfUnsuccessful, lockAwaitingBatch } from './awaited-analyses.js';
import { type ConversationRef, lockConversation } from './conversation-of.js';

/**
 * Keeps an analysis, if it is of the latest conversation. The first one stays, and so does the reason for its absence: a webhook
 * may have told it already. The success after which its batch stops does that in the same transaction.
 */
export async function storeAnalysis(
  db: Db,
  conversation: ConversationRef,
  analysis: Analysis,
  success: boolean | null,
): Promise<void> {
  const { accountId, callId } = conversation;
  const json = asJson(analysis);
  await db.transaction().execute(async (tx) => {
    const stopping = success === true ? await lockBatchThatStops(tx, accountId, callId) : null;
    if (!(await lockConversation(tx, conversation))) return;
    await sql`
      update calls set analysis = ${json}::jsonb, success = ${success}, analysis_error = null, updated_at = clock_timestamp()
      where id = ${callId} and account_id = ${accountId} and analysis is null and analyzed_at is null
        and erased_at is null and purged_at is null`.execute(tx);
    if (stopping !== null) await stopReached(tx, [stopping]);
  });
}

/**
 * Ends the analysis of a conversation, in one transaction: why there is none if there is none, the columns of its batch's export, and the
 * deliveries of `call-analyzed`, once, with what is true now. Doing it again changes nothing, nor
 * does doing it when the next conversation is over, which has an analysis of its own. If the retry plan says so, a recipient without
 * success becomes one that waits for a retry, in the same transaction.
 *
 * @returns whether the end of the call depended on it
 */
export async function settleAnalysis(
  db: Db,
  conversation: ConversationRef,
  problem: AnalysisError | null,
): Promise<boolean> {
  const { accountId, callId } = conversation;
  return db.transaction().execute(async (tx) => {
    // Batches are locked before their calls everywhere. This changes the row for the first call of each schema only.
    await sql`
      update batches b set analysis_fields = b.analysis_fields || array(
        select key from jsonb_object_keys(f.properties) key where not key = any (b.analysis_fields) order by key)
      from calls c
      join agent_versions v on v.id = c.version_id and v.account_id = c.account_id
      cross join lateral (select (v.config #> '{analysis,schema,properties}')::jsonb as properties) f
      where c.id = ${callId} and c.account_id = ${accountId} and b.id = c.batch_id and b.account_id = c.account_id
        and not b.analysis_fields @> array(select jsonb_object_keys(f.properties))`.execute(tx);
    const awaiting = await lockAwaitingBatch(tx, conversation);
    if (!(await lockConversation(tx, conversation))) return false;
    const { rows } = await sql<{ attempt: number }>`
      update calls set analysis_error = case when analysis is null then ${problem}::text end, analyzed_at = clock_timestamp(),
        updated_at = clock_timestamp()
      where id = ${callId} and account_id = ${accountId} and analyzed_at is null and erased_at is null and purged_at is null
      returning attempts_made as attempt`.execute(tx);
    await announceAttempts(
      tx,
      rows.map(({ attempt }) => ({ callId, attempt })),
    );
    if (awaiting !== null) await callAgainIfUnsuccessful(tx, conversation, awaiting);
    return awaiting !== null;
  });
}
