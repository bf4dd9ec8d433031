import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { SummaryError } from '../../../domain/agent/call-summary.js';
import { formatId } from '../../../domain/ids.js';
import type { Db } from '../../client.js';
import { addToOutbox } from '../outbox.js';
import { type ConversationRef, latestConversation, lockConversation } from './conversation-of.js';

/**
 * Keeps a summary, if it is of the latest conversation. The first one stays, and so does the reason for its absence: a webhook may
 * have told it already.
 */
export async function storeSummary(db: Db, conversation: ConversationRef, summary: string): Promise<void> {
  const { accountId, callId } = conversation;
  await db.transaction().execute(async (tx) => {
    if (!(await lockConversation(tx, conversation))) return;
    await sql`
      update calls set summary = ${summary.replaceAll('\0', '')}, summary_error = null, updated_at = clock_timestamp()
      where id = ${callId} and account_id = ${accountId} and summary is null and summary_error is null
        and erased_at is null and purged_at is null`.execute(tx);
  });
}

interface ToldCall {
  readonly endpoint: string | null;
  /** Number of the attempt, if the call was over before it, or had a conversation before; null otherwise. */
  readonly again: number | null;
  readonly payload: object;
}

/**
 * Ends the summary of a conversation, in one transaction: why there is none if there is none, and the delivery of the webhook,
 * once, with what is true now. Doing it again changes nothing, nor does doing it when the next conversation is over, which has
 * a summary of its own.
 */
export async function settleSummary(
  db: Db,
  conversation: ConversationRef,
  problem: SummaryError | null,
): Promise<void> {
  const { accountId, callId } = conversation;
  await db.transaction().execute(async (tx) => {
    if (!(await lockConversation(tx, conversation))) return;
    await sql`
      update calls set summary_error = coalesce(summary_error, ${problem}), updated_at = clock_timestamp()
      where id = ${callId} and account_id = ${accountId} and summary is null and erased_at is null`.execute(tx);
    const { rows } = await sql<ToldCall>`
      select v.config -> 'callSummary' -> 'webhook' ->> 'url' as endpoint,
        case when a.again or exists (
          select 1 from call_attempts e where e.call_id = a.call_id and e.number < a.number and e.outcome = 'answered'
            and e.answered_by is distinct from 'machine') then a.number end as again,
        json_build_object('callId', 'call_' || c.id, 'agentId', c.agent_id, 'versionId', c.version_id,
          'from', c.from_number, 'to', c.to_number, 'direction', c.type,
          'startedAt', to_char(a.dialed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'duration', coalesce(case when a.number = c.attempts_made then c.talk_seconds end,
            extract(epoch from a.ended_at - a.answered_at)::float8),
          'status', case when 'answered' in (a.outcome, c.status) then 'ended' else c.status end,
          'summary', c.summary, 'summaryError', case when c.summary is null then c.summary_error end,
          'transcript', coalesce(c.transcript, '[]'), 'metadata', c.metadata, 'batchId', c.batch_id) as payload
      from calls c
      join agent_versions v on v.id = c.version_id and v.account_id = c.account_id
      -- Unanswered attempts after it make it no other conversation.
      join call_attempts a on a.call_id = c.id and a.number = coalesce(${latestConversation}, c.attempts_made)
      where c.id = ${callId} and c.account_id = ${accountId} and c.erased_at is null and c.purged_at is null`.execute(
      tx,
    );
    const [told] = rows;
    if (told === undefined || told.endpoint === null) return;
    // Each conversation is told once.
    const event = told.again === null ? 'call-summary' : `call-summary:${told.again}`;
    await announceSummary(tx, { accountId, callId, event }, told.endpoint, payloadText(told.payload));
  });
}

/** Fields without a value are omitted, except `summary`, which is null. */
const payloadText = (payload: object): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(payload).filter(([name, value]) => value !== null || name === 'summary')),
  );

async function announceSummary(
  tx: Db,
  { accountId, callId, event }: { readonly accountId: string; readonly callId: string; readonly event: string },
  endpoint: string,
  payload: string,
): Promise<void> {
  const deliveryId = formatId('webhookDelivery', uuidv7());
  const { numAffectedRows } = await sql`
    insert into webhook_deliveries (id, account_id, call_id, event, endpoint, payload)
    values (${deliveryId}, ${accountId}, ${callId}, ${event}, ${endpoint}, ${payload})
    on conflict (call_id, event) where call_id is not null and sip_webhook_id is null do nothing`.execute(tx);
  if (numAffectedRows === 0n) return;
  await addToOutbox(tx, { kind: 'start', name: 'deliverWebhook', input: { accountId, deliveryId } });
}
