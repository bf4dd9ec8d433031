import { sql } from 'kysely';
import type { CallingWindow } from '../../../domain/call/calling-window.js';
import type { Db } from '../../client.js';

/** What decides whether the recipient of a live call can be promised another one. */
export interface CallbackFacts {
  readonly batchId: string;
  /** Zones of the recipient, as they were given or worked out; empty: none are known. */
  readonly zones: readonly string[];
  /** Zone of the batch. */
  readonly timezone: string;
  readonly window: CallingWindow | null;
  /** How often the recipient was promised a call before this one. */
  readonly promisedBefore: number;
}

/**
 * @param callId the bare UUID
 * @returns null if the call is over, or none of a batch
 */
export async function callbackFacts(db: Db, accountId: string, callId: string): Promise<CallbackFacts | null> {
  const { rows } = await sql<CallbackFacts>`
    select c.batch_id as "batchId", coalesce(c.time_zones, '{}') as zones, b.timezone, b.calling_window as window,
      -- A promise that was made in this call is moved.
      c.callbacks - coalesce(c.callback_attempt = a.number + 1, false)::integer as "promisedBefore"
    from calls c
    join batches b on b.id = c.batch_id
    join call_attempts a on a.call_id = c.id and a.phase in ('dialing', 'ringing', 'answered')
    where c.id = ${callId}::uuid and c.account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}
