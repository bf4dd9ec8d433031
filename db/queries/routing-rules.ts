import { sql, type Insertable, type Selectable } from 'kysely';
import type { Db } from '../client.js';
import type { RoutingRules } from '../types.js';
import { containing } from './search-pattern.js';

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

/** Stores a rule and attaches it. Postgres refuses a second inbound rule on a number. */
export async function insertRule(
  tx: Db,
  rule: Insertable<RoutingRules>,
  numbers: readonly RuleNumber[],
): Promise<RuleRow> {
  const row = await tx.insertInto('routing_rules').values(rule).returningAll().executeTakeFirstOrThrow();
  if (numbers.length > 0) {
    await tx
      .insertInto('rule_numbers')
      .values(
        numbers.map(({ numberId, e164 }, position) => ({
          rule_id: row.id,
          number_id: numberId,
          account_id: row.account_id,
          type: row.type,
          e164,
          position,
        })),
      )
      .execute();
  }
  return { ...row, numbers: numbers.map(({ e164 }) => e164) };
}

/** Which of these numbers have an inbound rule already, in order. */
export async function numbersWithInboundRule(
  db: Db,
  accountId: string,
  numberIds: readonly string[],
): Promise<string[]> {
  if (numberIds.length === 0) return [];
  const rows = await db
    .selectFrom('rule_numbers')
    .select('e164')
    .where('account_id', '=', accountId)
    .where('type', '=', 'inbound')
    .where('number_id', 'in', numberIds)
    .orderBy('e164')
    .execute();
  return rows.map(({ e164 }) => e164);
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
