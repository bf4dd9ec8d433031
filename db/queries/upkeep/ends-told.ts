import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** Answered calls of each gateway that are looked at, the newest first; and gateways, those that were changed last. */
const callsOfGateway = 20;
const mostGateways = 200;

export interface EndsTold {
  /** Real calls that callees ended within the last day. */
  readonly ended: number;
  /** Of these, those whose end LiveKit's webhook told while they were still taken for live. */
  readonly told: number;
}

/** How many ends of calls LiveKit's webhooks have told. A sample: the newest answered calls of each outbound gateway. */
export async function endsTold(db: Db): Promise<EndsTold> {
  const { rows } = await sql<EndsTold>`
    select count(*)::integer as ended, count(a.left_hint)::integer as told
    from (select id from gateways where direction = 'outbound' order by updated_at desc limit ${mostGateways}) g
    cross join lateral (
      select id, account_id, simulated from calls
      where gateway_id = g.id and ended_as = 'answered' order by created_at desc, id desc limit ${callsOfGateway}
    ) c
    join call_attempts a on a.call_id = c.id and a.account_id = c.account_id
    where not c.simulated and a.outcome = 'answered' and a.reason = 'callee_hung_up'
      and a.ended_at > clock_timestamp() - interval '1 day'`.execute(db);
  return rows[0] ?? { ended: 0, told: 0 };
}
