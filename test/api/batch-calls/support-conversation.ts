import { sql } from 'kysely';
import { v7 } from 'uuid';
import { here } from '../support.js';

/** A call of the batch to this number that was answered and has lasted ten seconds, as the dialer ends it. */
export async function aConversation(accountId: string, batchId: string, to: string, country: string, position: number) {
  const { db } = here().database;
  const id = v7();
  await sql`
    insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id)
    select ${id}, account_id, id, ${position}, ${to}, from_number, rule_id, gateway_id from batches where id = ${batchId}`.execute(
    db,
  );
  await sql`
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, phase, due_at, dialed_at, answered_at)
    select id, 1, ${accountId}, ${batchId}, gateway_id, ${to}, 'queued', now(), now(), now() from calls where id = ${id}`.execute(
    db,
  );
  await sql`
    with ended as (
      update call_attempts set phase = 'ended', outcome = 'answered', answered_by = 'human', country = ${country},
        ended_at = answered_at + interval '10 seconds', callee_hour = '2027-03-01T09:00'
      where call_id = ${id} returning call_id)
    update calls set status = 'answered', attempts_made = 1, answered_by = 'human', ended_at = now()
    from ended where id = call_id`.execute(db);
  return id;
}
