import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { latestConversation } from './conversation-of.js';

/** A call that a model is asked about when it is over, with what its agent's version says of that. */
export interface CallToAskAbout {
  readonly versionId: string;
  /** Of the latest conversation; null if its attempts tell of none. */
  readonly attempt: number | null;
  /** Whether the call has what is asked for already, or why there is none has been told. */
  readonly isAnswered: boolean;
  readonly simulated: boolean;
  readonly transcript: unknown;
  /** The part of the version's config, as stored. */
  readonly settings: unknown;
  /** Language model that the service filled in when the version was deployed; null if that was before it did. */
  readonly defaultLlm: string | null;
  /** The caller's own key for the model, sealed. */
  readonly keySealed: string | null;
}

/**
 * What a model is asked for: the part of a version's config, where that has the caller's own key, the column of the answer, and the one
 * that is set when no answer is awaited any more.
 */
export const askedFor = {
  summary: { part: 'callSummary', keyPath: 'callSummary.llm.apiKey', column: 'summary', over: 'summary_error' },
  analysis: { part: 'analysis', keyPath: 'analysis.model.apiKey', column: 'analysis', over: 'analyzed_at' },
} as const;

/** Null if the call, or what was said in it, is gone. */
export async function callToAskAbout(
  db: Db,
  accountId: string,
  callId: string,
  { part, keyPath, column, over }: (typeof askedFor)[keyof typeof askedFor],
): Promise<CallToAskAbout | null> {
  const { rows } = await sql<CallToAskAbout>`
    select v.id as "versionId", ${latestConversation} as attempt,
      ${sql.ref(`c.${column}`)} is not null or ${sql.ref(`c.${over}`)} is not null as "isAnswered",
      c.simulated, c.transcript, v.config -> ${part} as settings,
      (select d.defaults ->> 'llm' from deployments d where d.version_id = v.id and d.account_id = v.account_id
        and d.status in ('live', 'retired') order by d.accepted desc limit 1) as "defaultLlm",
      (select s.secret_sealed from agent_version_secrets s
        where s.version_id = v.id and s.path = ${keyPath}) as "keySealed"
    from calls c join agent_versions v on v.id = c.version_id and v.account_id = c.account_id
    where c.id = ${callId} and c.account_id = ${accountId} and c.erased_at is null and c.purged_at is null`.execute(db);
  return rows[0] ?? null;
}
