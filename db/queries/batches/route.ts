import type { Db } from '../../client.js';

/*
 * What a new batch depends on. Each row is locked `for share`: detach, release, delete and undeploy lock theirs
 * `for update` before they look for batches, so they either see the new batch or are seen by it.
 */

export interface CallingNumber {
  readonly id: string;
  readonly e164: string;
}

/** The account's number by its id or, if that is null, by its E.164; null if there is none. */
export async function lockNumber(
  tx: Db,
  accountId: string,
  number: { readonly id: string | null; readonly e164: string | null },
): Promise<CallingNumber | null> {
  const query = tx
    .selectFrom('phone_numbers')
    .select(['id', 'e164'])
    .where('account_id', '=', accountId)
    .where((where) => (number.id === null ? where('e164', '=', number.e164) : where('id', '=', number.id)))
    .forShare();
  return (await query.executeTakeFirst()) ?? null;
}

/** Id of the outbound gateway that the number is attached to, or null. */
export async function lockOutboundGateway(tx: Db, accountId: string, numberId: string): Promise<string | null> {
  const link = await tx
    .selectFrom('number_gateways')
    .select('gateway_id')
    .where('account_id', '=', accountId)
    .where('number_id', '=', numberId)
    .where('direction', '=', 'outbound')
    .forShare()
    .executeTakeFirst();
  return link?.gateway_id ?? null;
}

export interface CallingRule {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Every outbound rule has one. */
  readonly agentId: string | null;
  readonly roomType: string;
}

const ruleColumns = [
  'routing_rules.id',
  'routing_rules.name',
  'routing_rules.type',
  'routing_rules.agent_id as agentId',
  'routing_rules.room_type as roomType',
] as const;

/** One rule of the account, whatever it is for; null if there is none. */
export async function lockRule(tx: Db, accountId: string, ruleId: string): Promise<CallingRule | null> {
  const rule = await tx
    .selectFrom('routing_rules')
    .select(ruleColumns)
    .where('account_id', '=', accountId)
    .where('id', '=', ruleId)
    .forShare()
    .executeTakeFirst();
  return rule ?? null;
}

/**
 * The outbound rules on a number, oldest first. Each rule is locked before its link to the number (the order of `from`), as
 * every change or removal of a rule does.
 */
export async function lockOutboundRules(tx: Db, accountId: string, numberId: string): Promise<readonly CallingRule[]> {
  return tx
    .selectFrom('routing_rules')
    .innerJoin('rule_numbers', 'rule_numbers.rule_id', 'routing_rules.id')
    .select(ruleColumns)
    .where('routing_rules.account_id', '=', accountId)
    .where('routing_rules.type', '=', 'outbound')
    .where('rule_numbers.number_id', '=', numberId)
    .orderBy('routing_rules.created_at')
    .orderBy('routing_rules.id')
    .forShare()
    .execute();
}

/** Whether a rule is attached to a number; the attachment is locked with it. */
export async function lockRuleNumber(tx: Db, ruleId: string, numberId: string): Promise<boolean> {
  const link = await tx
    .selectFrom('rule_numbers')
    .select('rule_id')
    .where('rule_id', '=', ruleId)
    .where('number_id', '=', numberId)
    .forShare()
    .executeTakeFirst();
  return link !== undefined;
}

/** Whether the agent is active, and stays so until the transaction ends. */
export async function lockActiveAgent(tx: Db, accountId: string, agentId: string): Promise<boolean> {
  const agent = await tx
    .selectFrom('agents')
    .select('status')
    .where('account_id', '=', accountId)
    .where('id', '=', agentId)
    .forShare()
    .executeTakeFirst();
  return agent?.status === 'active';
}
