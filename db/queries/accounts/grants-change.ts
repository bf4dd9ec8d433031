import { sql } from 'kysely';
import type { Granted } from '../../../domain/account/grants.js';
import type { Db } from '../../client.js';
import { recordByOperator } from './suspension.js';
import { takeDialingLock } from '../dialer/dialing-lock.js';

/*
 * What the operator does to grants. Commands run without the settings of the roles, so nothing here asks whether grants are
 * required: they are written down either way.
 */

export interface GrantRow {
  readonly accountId: string;
  readonly accountName: string;
  readonly kind: 'number' | 'host';
  readonly value: string;
}

/** Another account that has, or uses, a number that is to be granted. */
export interface NumberHolder {
  readonly number: string;
  readonly accountId: string;
}

/** Numbers and hosts as the rows of the table. */
const rowsOf = (accountId: string, { numbers, hosts }: Granted) => [
  ...numbers.map((value) => ({ account_id: accountId, kind: 'number', value })),
  ...hosts.map((value) => ({ account_id: accountId, kind: 'host', value })),
];

/**
 * Lets one command at a time give grants, until its transaction ends; readers do not wait. Without it two that
 * grant one number at once would both find it free. To be taken before looking who has what.
 */
export async function lockGrants(tx: Db): Promise<void> {
  await sql`lock table grants in share row exclusive mode`.execute(tx);
}

/** Which of these numbers other accounts have been granted. */
export async function grantedElsewhere(db: Db, accountId: string, numbers: readonly string[]): Promise<NumberHolder[]> {
  const { rows } = await sql<NumberHolder>`
    select value as number, account_id as "accountId" from grants
    where kind = 'number' and account_id <> ${accountId} and value = any(${[...numbers]}::text[]) order by 1`.execute(
    db,
  );
  return rows;
}

/** Which of these numbers callers reach another account by: its inbound gateway has them. */
export async function receivedElsewhere(
  db: Db,
  accountId: string,
  numbers: readonly string[],
): Promise<NumberHolder[]> {
  const { rows } = await sql<NumberHolder>`
    select e164 as number, account_id as "accountId" from number_gateways
    where direction = 'inbound' and account_id <> ${accountId} and e164 = any(${[...numbers]}::text[]) order by 1`.execute(
    db,
  );
  return rows;
}

/** Takes numbers off the inbound gateways of all other accounts, so that the account that owns them can receive calls. */
export async function detachElsewhere(tx: Db, accountId: string, numbers: readonly string[]): Promise<void> {
  const holders = await receivedElsewhere(tx, accountId, numbers);
  await sql`
    delete from number_gateways
    where direction = 'inbound' and account_id <> ${accountId} and e164 = any(${[...numbers]}::text[])`.execute(tx);
  for (const { number, accountId: holder } of holders) {
    await recordByOperator(tx, holder, 'phone-number.detach', { number, direction: 'inbound' });
  }
}

/**
 * Grants numbers and hosts; those that are granted already stay so. The numbers must not be granted elsewhere: see
 * `lockGrants`.
 */
export async function addGrants(tx: Db, accountId: string, granted: Granted): Promise<void> {
  await tx
    .insertInto('grants')
    .values(rowsOf(accountId, granted))
    .onConflict((conflict) => conflict.columns(['kind', 'value', 'account_id']).doNothing())
    .execute();
  await recordByOperator(tx, accountId, 'grant.add', { ...granted });
}

/**
 * Takes grants back. From the commit on no gate lets a call through that needs one of them; every gate before it has been
 * waited for.
 *
 * @param hangUp whether live calls that need one of them are hung up
 * @returns how many there were
 */
export async function revokeGrants(tx: Db, accountId: string, granted: Granted, hangUp: boolean): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from grants where account_id = ${accountId} and (
      (kind = 'number' and value = any(${[...granted.numbers]}::text[]))
      or (kind = 'host' and value = any(${[...granted.hosts]}::text[])))`.execute(tx);
  await recordByOperator(tx, accountId, 'grant.revoke', { ...granted, hangUp });
  await takeDialingLock(tx, accountId);
  if (hangUp) await hangUpUngranted(tx, accountId, granted);
  return Number(numAffectedRows ?? 0n);
}

/** Locks as everywhere: calls by id, then attempts. */
async function hangUpUngranted(tx: Db, accountId: string, { numbers, hosts }: Granted): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select c.id from calls c join gateways g on g.id = c.gateway_id
    where c.id in (
        select call_id from call_attempts where account_id = ${accountId} and phase in ('dialing', 'ringing', 'answered'))
      and (case c.type when 'inbound' then c.to_number else c.from_number end = any(${[...numbers]}::text[])
        or (c.type = 'outbound' and (sip_host(g.address) = any(${[...hosts]}::text[])
          or sip_host(g.from_host) = any(${[...hosts]}::text[]))))
    order by c.id for no key update of c`.execute(tx);
  await sql`
    update call_attempts set hang_up_at = clock_timestamp(), hang_up_reason = 'not_granted'
    where call_id = any(${rows.map(({ id }) => id)}::uuid[]) and phase in ('dialing', 'ringing', 'answered')
      and hang_up_at is null`.execute(tx);
}

/** All grants, or those of one account. */
export async function listGrants(db: Db, accountId?: string): Promise<GrantRow[]> {
  const { rows } = await sql<GrantRow>`
    select c.id as "accountId", c.name as "accountName", g.kind, g.value
    from grants g join accounts c on c.id = g.account_id
    where ${accountId ?? null}::text is null or c.id = ${accountId ?? null}
    order by c.created_at, c.id, g.kind desc, g.value`.execute(db);
  return rows;
}

/** Numbers with a gateway, and hosts of gateways, that are in use without a grant: what stops if grants are required. */
export async function usedWithoutGrant(db: Db, accountId?: string): Promise<GrantRow[]> {
  const { rows } = await sql<GrantRow>`
    with used as (
      select account_id, 'number' as kind, e164 as value from number_gateways
      union
      select account_id, 'host', sip_host(address) from gateways where direction = 'outbound'
      union
      select account_id, 'host', sip_host(from_host) from gateways where direction = 'outbound' and from_host is not null
    )
    select c.id as "accountId", c.name as "accountName", u.kind, u.value
    from used u join accounts c on c.id = u.account_id
    where not exists (
        select 1 from grants g where g.account_id = u.account_id and g.kind = u.kind and g.value = u.value)
      and (${accountId ?? null}::text is null or c.id = ${accountId ?? null})
    order by c.created_at, c.id, u.kind desc, u.value`.execute(db);
  return rows;
}
