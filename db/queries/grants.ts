import { sql } from 'kysely';
import type { Granted, Ungranted } from '../../domain/grants.js';
import type { Db } from '../client.js';

/** What of these an account may not use; nothing if the operator asks for no grants (db/functions/02-grants.sql). */
export async function ungrantedOf(
  db: Db,
  accountId: string,
  wanted: Granted & { readonly headers?: Readonly<Record<string, string>> },
): Promise<Ungranted> {
  const { rows } = await sql<Ungranted>`
    select
      array(select n from unnest(${[...wanted.numbers]}::text[]) as n
        where not is_granted(${accountId}, 'number', n) order by n) as numbers,
      array(select distinct sip_host(a) from unnest(${[...wanted.hosts]}::text[]) as a
        where not is_granted(${accountId}, 'host', sip_host(a)) order by 1) as hosts,
      array(select h.key from jsonb_each(${JSON.stringify(wanted.headers ?? {})}::jsonb) as h
        where not callers_granted(${accountId}, jsonb_build_object(h.key, h.value)) order by 1) as headers`.execute(db);
  return rows[0] ?? { numbers: [], hosts: [], headers: [] };
}

/** What of a number and its outbound gateway keeps an account from calling; nothing if the operator asks for no grants. */
export async function ungrantedOfRoute(
  db: Db,
  accountId: string,
  route: { readonly number: string; readonly gatewayId: string },
): Promise<Ungranted> {
  const gateway = await db
    .selectFrom('gateways')
    .select(['address', 'from_host', sql<Record<string, string>>`headers`.as('headers')])
    .where('account_id', '=', accountId)
    .where('id', '=', route.gatewayId)
    .executeTakeFirst();
  return ungrantedOf(db, accountId, {
    numbers: [route.number],
    hosts: [gateway?.address ?? null, gateway?.from_host ?? null].filter((host) => host !== null),
    headers: gateway?.headers ?? {},
  });
}

/** What of an inbound or outbound call that is made already is no longer granted to its account. */
export async function ungrantedOfCall(db: Db, accountId: string, callId: string): Promise<Ungranted> {
  const call = await db
    .selectFrom('calls')
    .select(['type', 'from_number', 'to_number', 'gateway_id'])
    .where('account_id', '=', accountId)
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();
  return call.type === 'inbound'
    ? ungrantedOf(db, accountId, { numbers: [call.to_number], hosts: [] })
    : ungrantedOfRoute(db, accountId, { number: call.from_number, gatewayId: call.gateway_id });
}
