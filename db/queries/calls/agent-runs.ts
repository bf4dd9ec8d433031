import { sql } from 'kysely';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';
import { analysisWorkflowId, summaryWorkflowId } from '../../../domain/workflow/ids.js';
import type { Db } from '../../client.js';
import type { AgentLeg } from './conversation.js';
import { addAllToOutbox } from '../outbox.js';

/** One agent on a leg. */
export interface AgentRun extends AgentLeg {
  /** LiveKit's job. */
  readonly run: string;
}

export interface TurnTiming {
  /** ISO instant of the agent's first sound. */
  readonly at: string;
  /** Since the callee had stopped speaking. */
  readonly ms: number;
}

export interface RunTimings {
  /** From the answer to the agent's first sound; null if it has not come. */
  readonly answeredToSpeechMs: number | null;
  readonly turns: readonly TurnTiming[];
}

/** An agent begins: from now on summary and analysis of the call wait a while for the end of its transcript. */
export async function openAgentRun(db: Db, { accountId, callId, attempt, run }: AgentRun): Promise<void> {
  await sql`
    insert into agent_runs (call_id, account_id, attempt, run)
    select id, account_id, ${attempt}, ${run} from calls where id = ${callId}::uuid and account_id = ${accountId}
    on conflict do nothing`.execute(db);
}

/** Replaces what is known of how quick an agent is. */
export async function storeTimings(
  db: Db,
  { accountId, callId, attempt, run }: AgentRun,
  { answeredToSpeechMs, turns }: RunTimings,
): Promise<void> {
  await sql`
    update agent_runs set answered_to_speech_ms = ${answeredToSpeechMs}, turns = ${JSON.stringify(turns)}::jsonb
    where call_id = ${callId}::uuid and attempt = ${attempt} and run = ${run} and account_id = ${accountId}`.execute(
    db,
  );
}

/**
 * An agent has stored its whole transcript. If the call ended before, its summary and analysis may be waiting for it and get a signal.
 * The leg is locked meanwhile, so that one of the two always hears: this, or who waits when it first looks.
 */
export async function closeAgentRun(db: Db, { accountId, callId, attempt, run }: AgentRun): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ phase: string }>`
      select phase from call_attempts
      where call_id = ${callId}::uuid and number = ${attempt} and account_id = ${accountId} for share`.execute(tx);
    const { numAffectedRows } = await sql`
      update agent_runs set closed_at = clock_timestamp()
      where call_id = ${callId}::uuid and attempt = ${attempt} and run = ${run} and account_id = ${accountId}
        and closed_at is null`.execute(tx);
    if (rows[0]?.phase !== 'ended' || numAffectedRows === 0n) return;
    const waiting = [summaryWorkflowId(callId, attempt), analysisWorkflowId(callId, attempt)];
    await addAllToOutbox(
      tx,
      waiting.map((workflowId) => ({ kind: 'signal', name: 'transcriptClosed', workflowId, input: {} })),
    );
  });
}

/** @returns whether the last agent of a call has lines to store; false if none came, as with the simulator */
export async function isTranscriptOpen(db: Db, accountId: string, callId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select closed_at is null as open from agent_runs
    where call_id = ${callId}::uuid and account_id = ${accountId}
    order by attempt desc, started_at desc limit 1`.execute(db);
  return rows[0]?.open === true;
}

interface StoredRun extends RunTimings, AttemptKey {}

/** The agents' response times in these calls, by bare UUID: all turns, and the greeting of the last attempt. */
export async function timingsOfCalls(
  tx: Db,
  accountId: string,
  callIds: readonly string[],
): Promise<Map<string, RunTimings>> {
  const { rows } = await sql<StoredRun>`
    select call_id as "callId", attempt, answered_to_speech_ms as "answeredToSpeechMs", turns from agent_runs
    where account_id = ${accountId} and call_id = any (${[...callIds]}::uuid[])
    order by call_id, attempt, started_at`.execute(tx);
  const lastAttempts = new Map(rows.map(({ callId, attempt }) => [callId, attempt]));
  const found = new Map<string, RunTimings>();
  for (const { callId, attempt, answeredToSpeechMs, turns } of rows) {
    // Agents of earlier attempts prepared for an answer that did not come.
    if (attempt !== lastAttempts.get(callId)) continue;
    const before = found.get(callId);
    found.set(callId, {
      answeredToSpeechMs: before?.answeredToSpeechMs ?? answeredToSpeechMs,
      turns: [...(before?.turns ?? []), ...turns],
    });
  }
  return found;
}
