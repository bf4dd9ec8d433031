import { sql, type Transaction } from 'kysely';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';
import type { DB } from '../../types.js';

/**
 * Takes back what the gate has counted of attempts whose INVITE was never sent and never will be: it counts neither for the number,
 * whose next call need not keep any distance from it, nor for the gateway. Numbers before gateways.
 *
 * @param unsent locked by what ended them or put them back
 */
export async function uncountDials(tx: Transaction<DB>, unsent: readonly AttemptKey[]): Promise<void> {
  if (unsent.length === 0) return;
  const keys = sql`unnest(${unsent.map(({ callId }) => callId)}::uuid[], ${unsent.map(({ attempt }) => attempt)}::smallint[])
    as z (call_id, number) join call_attempts a on a.call_id = z.call_id and a.number = z.number`;
  // In the order in which gates lock them, so that neither deadlocks.
  await sql`
    select 1 from counted_numbers n
    where (n.account_id, n.e164) in (
      select c.account_id, c.from_number from ${keys} join calls c on c.id = a.call_id)
    order by n.number_id for no key update`.execute(tx);
  await sql`
    update counted_numbers n
    set calls = greatest(0, n.calls - d.calls_today),
      last_call_by = case when d.has_last then n.last_call_before else n.last_call_by end,
      last_call_id = case when not d.has_last then n.last_call_id end
    from (
      select m.number_id, count(*) filter (where m.day = (a.dialed_at at time zone m.timezone)::date)::integer as calls_today,
        coalesce(bool_or(c.id = m.last_call_id), false) as has_last
      from ${keys}
      join calls c on c.id = a.call_id
      join counted_numbers m on m.account_id = c.account_id and m.e164 = c.from_number
      group by 1
    ) d
    where n.number_id = d.number_id`.execute(tx);
  // In rows that no gate writes, which may be below 0: a piece of time counts by the sum of its rows.
  await sql`
    insert into recent_dials as r (gateway_id, at, slot, dials)
    select a.gateway_id, date_bin('5 seconds', a.dialed_at, 'epoch'), 8 + pg_backend_pid() % 8, -count(*)
    from ${keys}
    group by 1, 2 order by 1, 2
    on conflict (gateway_id, at, slot) do update set dials = r.dials + excluded.dials`.execute(tx);
}
