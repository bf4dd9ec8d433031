import type { Db } from '../../db/client.js';
import { isKeyOfAccount } from '../../db/queries/accounts/keys.js';
import {
  lockAgent,
  lockNumbers,
  numbersWithInboundRule,
  type RuleNumber,
} from '../../db/queries/telephony/routing-rules.js';
import { isUniqueViolation } from '../../db/unique-violation.js';
import { conflict, type Problem } from '../../domain/errors.js';
import { invalidRequest } from '../validation.js';

/** What a rule refers to, or is about to. */
interface References {
  readonly numbers: readonly string[];
  /** Under which of its two names the list of numbers was sent. */
  readonly numbersField: 'numbers' | 'phoneNumbers';
  readonly agentId?: string | undefined;
  readonly apiKey?: string | undefined;
}

/**
 * What the rule refers to, locked until the transaction ends.
 *
 * @returns the numbers in the order sent
 * @throws Failure `invalid` that names everything that is not the account's
 */
export async function lockReferences(tx: Db, accountId: string, references: References): Promise<RuleNumber[]> {
  const { numbers, numbersField, agentId, apiKey } = references;
  const problems: Problem[] = [];
  const wrong = (path: string, message: string) => problems.push({ path, code: 'INVALID_VALUE', message });

  const found = new Map((await lockNumbers(tx, accountId, numbers)).map((number) => [number.e164, number]));
  numbers.forEach((e164, index) => {
    if (!found.has(e164)) wrong(`${numbersField}[${index}]`, `${e164} is not a number of this account`);
  });
  if (agentId !== undefined && !(await lockAgent(tx, accountId, agentId))) {
    wrong('agentId', 'is not an agent of this account');
  }
  if (apiKey !== undefined && !(await isKeyOfAccount(tx, accountId, apiKey))) {
    wrong('apiKey', 'is not the id of a key of this account');
  }
  if (problems.length > 0) throw invalidRequest(problems);
  return numbers.flatMap((e164) => found.get(e164) ?? []);
}

/**
 * @param ruleId the rule that may have them, if it exists already
 * @throws Failure `conflict` if another rule takes the calls to one of these numbers
 */
export async function refuseSecondInboundRule(
  tx: Db,
  accountId: string,
  numbers: readonly RuleNumber[],
  ruleId?: string,
): Promise<void> {
  const ids = numbers.map(({ numberId }) => numberId);
  const taken = await numbersWithInboundRule(tx, accountId, ids, ruleId);
  if (taken.length > 0) throw conflict(`These numbers already have an inbound rule: ${taken.join(', ')}`);
}

/** The index decides between two requests that both found the number free. */
export function attachFailure(error: unknown): unknown {
  if (!isUniqueViolation(error, 'rule_numbers')) return error;
  return conflict('Another request has just given one of these numbers an inbound rule');
}
