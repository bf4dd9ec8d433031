import { sql } from 'kysely';
import type { AttemptKey, InviteKey } from '../../../domain/call/attempt-key.js';
import type { AnsweredBy } from '../../../domain/call/call.js';
import type { Db } from '../../client.js';
import { asJson } from '../dialer/columns.js';
import { lockCall, orderHangUp } from './control.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

/** A live leg with everything that the conversation on it is made from. */
export interface AgentCall extends InviteKey {
  readonly accountId: string;
  /** Number of the other side, E.164; a text of the carrier's if a caller hides theirs. */
  readonly number: string;
  /** The recipient's own time zone, as it was given or worked out; null: none is known. */
  readonly zone: string | null;
  readonly versionId: string;
  readonly metadata: unknown;
  /** Language that the recipient was sent with. */
  readonly language: string | null;
  readonly agentMetadata: unknown;
  /** The version's config, as stored. */
  readonly config: unknown;
  /** Models that its deployment has pinned; null if it was deployed before any were. */
  readonly defaults: unknown;
  readonly disclosure: string | null;
  readonly dtmf: boolean;
  readonly noiseCancellation: boolean;
  /** A recipient of a batch. */
  readonly batchId: string | null;
  /** Whether rule, gateway or call ask for a recording. */
  readonly record: boolean;
  readonly answeredAt: Date | null;
  readonly transcript: unknown;
}

/**
 * The call that an agent is sent to, by the room that its leg is in: the version pinned when the attempt was dialed, not
 * the one that is live by now.
 *
 * @param callId the bare UUID
 * @returns null if the leg is over, or never was
 */
export async function callForAgent(db: Db, callId: string, room: string): Promise<AgentCall | null> {
  const { rows } = await sql<AgentCall>`
    select c.id as "callId", c.account_id as "accountId", a.number as attempt, a.invite, case c.type when 'inbound' then c.from_number else c.to_number end as number,
      c.time_zones[1] as zone, a.version_id as "versionId", c.metadata, c.options ->> 'language' as language,
      -- What was said to the agent of the call that is called back about is said again, unless the rule says otherwise.
      coalesce(o.agent_metadata, '{}') || coalesce(r.agent_metadata, '{}') as "agentMetadata", v.config,
      (select d.defaults from deployments d where d.version_id = v.id and d.account_id = v.account_id
        and d.status in ('live', 'retired') order by d.accepted desc limit 1) as defaults,
      l.disclosure,
      coalesce(r.dtmf, false) or coalesce(g.enable_dtmf, false) or coalesce(c.options ->> 'dtmf', '') = 'true' as dtmf,
      coalesce(r.noise_cancellation, false) or coalesce(g.noise_cancellation, false) as "noiseCancellation",
      coalesce(r.recording, false) or coalesce(g.record, false) or coalesce(c.options ->> 'recordAudio', '') = 'true' as record,
      a.answered_at as "answeredAt", c.batch_id as "batchId",
      -- What was said before the call was made again is another conversation.
      case when not a.again or c.transcript_attempt = a.number then c.transcript end as transcript
    from calls c
    join call_attempts a on a.call_id = c.id and a.room = ${room} and a.phase in ('dialing', 'ringing', 'answered')
      and a.hang_up_at is null
    join agent_versions v on v.id = a.version_id and v.account_id = c.account_id
    left join routing_rules r on r.id = c.rule_id and r.account_id = c.account_id
    left join calls earlier on earlier.id = c.callback_of and earlier.account_id = c.account_id
    left join routing_rules o on o.id = earlier.rule_id and o.account_id = c.account_id
    left join gateways g on g.id = a.gateway_id and g.account_id = c.account_id
    left join guardrails l on l.account_id = c.account_id
    where c.id = ${callId}::uuid and c.erased_at is null`.execute(db);
  return rows[0] ?? null;
}

/**
 * A version for the playground, with the models that its latest deployment has pinned and what the account has said
 * before every greeting; null if it is gone.
 */
export async function versionForPlayground(
  db: Db,
  accountId: string,
  versionId: string,
): Promise<{ readonly config: unknown; readonly defaults: unknown; readonly disclosure: string | null } | null> {
  const { rows } = await sql<{ config: unknown; defaults: unknown; disclosure: string | null }>`
    select v.config, (select l.disclosure from guardrails l where l.account_id = v.account_id) as disclosure,
      (select d.defaults from deployments d where d.version_id = v.id and d.account_id = v.account_id
      and d.status in ('live', 'retired') order by d.accepted desc limit 1) as defaults
    from agent_versions v where v.id = ${versionId} and v.account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}

/** The callers' own keys of a version, sealed, by their path in its config. */
export async function versionSecrets(db: Db, accountId: string, versionId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('agent_version_secrets')
    .select(['path', 'secret_sealed'])
    .where('account_id', '=', accountId)
    .where('version_id', '=', versionId)
    .execute();
  return new Map(rows.map(({ path, secret_sealed }) => [path, secret_sealed]));
}

/** The tools of a config that still exist, in its order. */
export async function toolsOfAgent(db: Db, accountId: string, ids: readonly string[]) {
  const rows = await db
    .selectFrom('tools')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', 'in', ids.length === 0 ? [''] : [...ids])
    .execute();
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

/** Names the leg that an agent serves. */
export interface AgentLeg extends AttemptKey {
  readonly accountId: string;
}

/** When a leg was answered, as its dialer has stored it; null if it has not. */
export async function answeredAtOf(db: Db, { accountId, callId, attempt }: AgentLeg): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select answered_at as at from call_attempts
    where call_id = ${callId}::uuid and number = ${attempt} and account_id = ${accountId}`.execute(db);
  return rows[0]?.at ?? null;
}

/**
 * Stores the transcript so far. The agent of an earlier attempt never overwrites that of a later one. Of two agents of one leg, one of which
 * had stood still when the other took its place, each keeps what the other has stored, in the order in which it was said.
 */
export async function storeTranscript(
  db: Db,
  { accountId, callId, attempt }: AgentLeg,
  lines: readonly object[],
): Promise<void> {
  const json = asJson(lines);
  await sql`
    update calls set transcript = case
        when transcript_attempt is distinct from ${attempt} or ${json}::jsonb @> transcript then ${json}::jsonb
        else coalesce((
          select jsonb_agg(l.line order by l.line ->> 'at', l.source, l.place) from (
            select distinct on (s.line) s.* from (
              select e.line, 1 as source, e.place from jsonb_array_elements(transcript) with ordinality as e (line, place)
              union all
              select n.line, 2, n.place from jsonb_array_elements(${json}::jsonb) with ordinality as n (line, place)) s
            order by s.line, s.source, s.place) l), ${json}::jsonb) end,
      transcript_attempt = ${attempt}, updated_at = clock_timestamp()
    where id = ${callId}::uuid and account_id = ${accountId} and attempts_made <= ${attempt}
      and coalesce(transcript_attempt, 0) <= ${attempt} and erased_at is null
      and purged_at is null`.execute(db);
}

/** Notes who answered, once it is known; the end of the leg does not take it back. It is not noted if a later attempt exists. */
export async function storeAnsweredBy(db: Db, leg: AgentLeg, answeredBy: AnsweredBy): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if ((await lockCall(tx, leg.accountId, leg.callId)) === null) return;
    const { rows: later } = await sql`
      select from call_attempts where call_id = ${leg.callId}::uuid and number > ${leg.attempt} limit 1`.execute(tx);
    if (later.length > 0) return;
    await sql`
      update call_attempts set answered_by = ${answeredBy}
      where call_id = ${leg.callId}::uuid and number = ${leg.attempt} and account_id = ${leg.accountId}`.execute(tx);
    await sql`
      update calls set answered_by = ${answeredBy}, updated_at = clock_timestamp()
      where id = ${leg.callId}::uuid and account_id = ${leg.accountId}`.execute(tx);
  });
}

/**
 * Has the dialer that holds the leg hang it up, and says why. An agent that had stood still, or was waited for, hangs up no later leg.
 *
 * @returns false if it is over
 */
export const orderAgentHangUp = (
  db: Db,
  { accountId, callId, attempt }: AgentLeg,
  reason: EndReason,
): Promise<boolean> =>
  db
    .transaction()
    .execute(async (tx) =>
      (await lockCall(tx, accountId, callId)) === null ? false : orderHangUp(tx, callId, reason, attempt),
    );

/** How the latest transfer of a call stands; null if none was asked for. */
export async function latestTransfer(
  db: Db,
  accountId: string,
  callId: string,
): Promise<{ readonly status: string } | null> {
  const row = await db
    .selectFrom('call_transfers')
    .select('status')
    .where('account_id', '=', accountId)
    .where('call_id', '=', callId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}
