import { sql } from 'kysely';
import type { Ungranted, WantedGrants } from '../../../domain/account/grants.js';
import type { Db } from '../../client.js';

const nothing: Ungranted = { numbers: [], hosts: [], headers: [] };

/** The numbers, hosts and headers that an account may not use; none if no grants are required (db/functions/02-grants.sql). */
export async function ungrantedOf(
  db: Db,
  accountId: string,
  { numbers, hosts, headers = {} }: WantedGrants,
): Promise<Ungranted> {
  const { rows } = await sql<{ ungranted: Ungranted }>`
    select ungranted(${accountId}, ${[...numbers]}::text[], ${[...hosts]}::text[], ${JSON.stringify(headers)}::jsonb)`.execute(
    db,
  );
  return rows[0]?.ungranted ?? nothing;
}

/** Missing grants of a number and its outbound gateway that keep an account from calling; none if no grants are required. */
export async function ungrantedOfRoute(
  db: Db,
  accountId: string,
  route: { readonly number: string; readonly gatewayId: string },
): Promise<Ungranted> {
  const { rows } = await sql<{ ungranted: Ungranted }>`
    select ungranted(${accountId}, array[n.number], array[w.address, w.from_host], w.headers)
    from (select ${route.number}::text as number) n
    left join gateways w on w.account_id = ${accountId} and w.id = ${route.gatewayId}`.execute(db);
  return rows[0]?.ungranted ?? nothing;
}

/**
 * The parts of an existing inbound or outbound call that are no longer granted to its account.
 *
 * @param gatewayId outbound gateway by which somebody is called because of a call that came in; omitted: nobody is
 */
export async function ungrantedOfCall(
  db: Db,
  accountId: string,
  callId: string,
  gatewayId: string | null = null,
): Promise<Ungranted> {
  const call = await db
    .selectFrom('calls')
    .select(['type', 'from_number', 'to_number', 'gateway_id'])
    .where('account_id', '=', accountId)
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();
  if (call.type !== 'inbound') {
    return ungrantedOfRoute(db, accountId, { number: call.from_number, gatewayId: call.gateway_id });
  }
  return gatewayId === null
    ? ungrantedOf(db, accountId, { numbers: [call.to_number], hosts: [] })
    : ungrantedOfRoute(db, accountId, { number: call.to_number, gatewayId });
}
