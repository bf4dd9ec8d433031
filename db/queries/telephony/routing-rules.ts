import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Db } from '../../client.js';
import type { RoutingRules } from '../../types.js';
import { containing } from '../search-pattern.js';

export interface RuleRow extends Selectable<RoutingRules> {
  /** Its numbers, in the order in which they were attached. */
  readonly numbers: readonly string[];
}

export interface RuleNumber {
  readonly numberId: string;
  readonly e164: string;
}

/** The account's numbers among these, share-locked: they cannot be released before the transaction has ended. */
export async function lockNumbers(tx: Db, accountId: string, e164s: readonly string[]): Promise<RuleNumber[]> {
  if (e164s.length === 0) return [];
  const rows = await tx
    .selectFrom('phone_numbers')
    .select(['id', 'e164'])
    .where('account_id', '=', accountId)
    .where('e164', 'in', e164s)
    .orderBy('e164')
    .forShare()
    .execute();
  return rows.map(({ id, e164 }) => ({ numberId: id, e164 }));
}

/** Whether the account has this agent; share-locked, so that it cannot be deleted before the transaction has ended. */
export async function lockAgent(tx: Db, accountId: string, agentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('agents')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', agentId)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Links in the order of the numbers, so that rules over the same ones wait for each other and do not deadlock. */
async function attachNumbers(
  tx: Db,
  rule: Pick<Selectable<RoutingRules>, 'id' | 'account_id' | 'type'>,
  numbers: readonly RuleNumber[],
): Promise<void> {
  if (numbers.length === 0) return;
  await tx
    .insertInto('rule_numbers')
    .values(
      numbers
        .map(({ numberId, e164 }, position) => ({
          rule_id: rule.id,
          number_id: numberId,
          account_id: rule.account_id,
          type: rule.type,
          e164,
          position,
        }))
        .sort((a, b) => (a.e164 < b.e164 ? -1 : 1)),
    )
    .execute();
}

/** Stores a rule and attaches it. Postgres refuses a second inbound rule on a number. */
export async function insertRule(
  tx: Db,
  rule: Insertable<RoutingRules>,
  numbers: readonly RuleNumber[],
): Promise<RuleRow> {
  const row = await tx.insertInto('routing_rules').values(rule).returningAll().executeTakeFirstOrThrow();
  await attachNumbers(tx, row, numbers);
  return { ...row, numbers: numbers.map(({ e164 }) => e164) };
}

/** Changes a rule, and its attachments if they are given. As `insertRule` otherwise. */
export async function updateRule(
  tx: Db,
  {
    id,
    account_id: accountId,
    ...columns
  }: Updateable<RoutingRules> & { readonly id: string; readonly account_id: string },
  numbers: readonly RuleNumber[] | undefined,
): Promise<void> {
  const row = await tx
    .updateTable('routing_rules')
    .set({ ...columns, updated_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['id', 'account_id', 'type'])
    .executeTakeFirstOrThrow();
  if (numbers === undefined) return;
  await tx.deleteFrom('rule_numbers').where('account_id', '=', accountId).where('rule_id', '=', id).execute();
  await attachNumbers(tx, row, numbers);
}

/** Deletes a rule; its numbers stay on the account. */
export async function deleteRule(tx: Db, accountId: string, id: string): Promise<void> {
  await tx.deleteFrom('routing_rules').where('account_id', '=', accountId).where('id', '=', id).execute();
}

/** Which of these numbers have an inbound rule already, or another one than this, in order. */
export async function numbersWithInboundRule(
  db: Db,
  accountId: string,
  numberIds: readonly string[],
  exceptRuleId?: string,
): Promise<string[]> {
  if (numberIds.length === 0) return [];
  const links = db
    .selectFrom('rule_numbers')
    .select('e164')
    .where('account_id', '=', accountId)
    .where('type', '=', 'inbound')
    .where('number_id', 'in', numberIds)
    .orderBy('e164');
  const others = exceptRuleId === undefined ? links : links.where('rule_id', '<>', exceptRuleId);
  return (await others.execute()).map(({ e164 }) => e164);
}

export interface RuleFilter {
  /** Anywhere in the name or in an attached number, whatever its case. */
  readonly search?: string | undefined;
  readonly type?: string | undefined;
  readonly ruleIds?: readonly string[] | undefined;
  readonly roomTypes?: readonly string[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

const numbersOfRule = sql<string[]>`array(
  select n.e164 from rule_numbers n where n.rule_id = routing_rules.id order by n.position)`;

/** A rule of the account; null if there is none. */
export async function findRule(db: Db, accountId: string, id: string): Promise<RuleRow | null> {
  const row = await db
    .selectFrom('routing_rules')
    .selectAll()
    .select(numbersOfRule.as('numbers'))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** As `findRule`; locked, so that no batch or call begins with it before the transaction has ended. */
export async function lockRuleForUpdate(tx: Db, accountId: string, id: string): Promise<RuleRow | null> {
  const row = await tx
    .selectFrom('routing_rules')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  // Read after the lock, in a separate statement: its numbers may have changed while it waited.
  return row === undefined ? null : findRule(tx, accountId, id);
}

/** An unfinished batch that calls by the rule, or null. */
export async function batchOfRule(tx: Db, accountId: string, ruleId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from batches
    where account_id = ${accountId} and rule_id = ${ruleId}
      and status not in ('parse_failed', 'cancelled', 'completed')
    limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Whether a single call by the rule is not over: the dialer still reads the rule. */
export async function ruleHasOpenCalls(tx: Db, accountId: string, ruleId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select 1 from calls
      where account_id = ${accountId} and rule_id = ${ruleId} and batch_id is null and not settled) as open`.execute(
    tx,
  );
  return rows[0]?.open ?? false;
}

/** A page of the account's rules, newest first. */
export async function listRules(
  db: Db,
  accountId: string,
  { search, type, ruleIds, roomTypes, offset, limit }: RuleFilter,
): Promise<{ total: number; rows: RuleRow[] }> {
  let rules = db.selectFrom('routing_rules').where('account_id', '=', accountId);
  if (type !== undefined) rules = rules.where('type', '=', type);
  if (ruleIds !== undefined) rules = rules.where('id', '=', sql<string>`any(${[...ruleIds]}::text[])`);
  if (roomTypes !== undefined) rules = rules.where('room_type', '=', sql<string>`any(${[...roomTypes]}::text[])`);
  if (search !== undefined) {
    const pattern = containing(search);
    rules = rules.where((where) =>
      where.or([
        where('name', 'ilike', pattern),
        where.exists(
          where
            .selectFrom('rule_numbers')
            .select('rule_id')
            .whereRef('rule_numbers.rule_id', '=', 'routing_rules.id')
            .where('rule_numbers.e164', 'ilike', pattern),
        ),
      ]),
    );
  }
  const { total } = await rules.select((select) => select.fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const rows = await rules
    .selectAll()
    .select(numbersOfRule.as('numbers'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total: Number(total), rows };
}
