import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../db/client.js';
import { batchOfRule, findRule, lockRuleForUpdate, updateRule } from '../../db/queries/telephony/routing-rules.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { operation, type AppDeps, type Caller } from '../operation.js';
import { invalidRequest } from '../validation.js';
import { columnsOf } from './columns.js';
import type { CreateRoutingRule } from './create-body.js';
import { noSuchRule, RuleParams } from './missing.js';
import { fieldProblems } from './problems.js';
import { attachFailure, lockReferences, refuseSecondInboundRule } from './references.js';
import { RoutingRule, routingRuleBody } from './schema.js';
import { ruleAfter, UpdateRoutingRule } from './update-body.js';

/** @throws Failure `conflict` if an unfinished batch could not go on with the rule as it is to be */
async function refuseWhileInUse(tx: Db, accountId: string, before: RoutingRule, after: CreateRoutingRule) {
  const wanted = after.phoneNumbers ?? [];
  const takesOff = before.phoneNumbers.some((e164) => !wanted.includes(e164));
  const turnsStatic = before.room.type === 'dynamic' && after.room.type === 'static';
  if (!takesOff && !turnsStatic) return;
  const batchId = await batchOfRule(tx, accountId, before.id);
  if (batchId === null) return;
  const what = takesOff ? 'No number can be taken off the rule' : 'The room of the rule cannot become static';
  throw conflict(`${what} while ${batchId} uses it and is not finished. Cancel it, or wait for its end.`);
}

async function change(
  tx: Db,
  ruleId: string,
  patch: UpdateRoutingRule,
  caller: Caller,
  deps: AppDeps,
): Promise<RoutingRule> {
  const { accountId } = caller;
  const row = await lockRuleForUpdate(tx, accountId, ruleId);
  if (row === null) throw noSuchRule();
  const before = routingRuleBody(row, caller, deps);
  const result = ruleAfter(patch, before);
  if ('problems' in result) throw invalidRequest(result.problems);
  const { rule: after } = result;
  await refuseWhileInUse(tx, accountId, before, after);

  const wanted = after.phoneNumbers ?? [];
  const changesNumbers = !isDeepStrictEqual(wanted, before.phoneNumbers);
  // What stays as it is is not looked up again: a key that is gone by now is no reason to refuse another name.
  const numbers = await lockReferences(tx, accountId, {
    numbers: changesNumbers ? wanted : [],
    numbersField: isDeepStrictEqual(patch.phoneNumbers, wanted) ? 'phoneNumbers' : 'numbers',
    agentId: after.agentId === before.agentId ? undefined : after.agentId,
    apiKey: after.apiKey === before.apiKey ? undefined : after.apiKey,
  });
  if (after.type === 'inbound') await refuseSecondInboundRule(tx, accountId, numbers, ruleId);
  const columns = { ...columnsOf(after, { accountId, ruleId }, deps), api_key_id: after.apiKey ?? null };
  await updateRule(tx, { id: ruleId, account_id: accountId, ...columns }, changesNumbers ? numbers : undefined);
  await recordAudit(tx, caller, 'routing-rule.update', ruleId, { fields: Object.keys(patch) });
  const changed = await findRule(tx, accountId, ruleId);
  if (changed === null) throw noSuchRule();
  return routingRuleBody(changed, caller, deps);
}

/** PATCH /v2/sip/routing-rule/{id} */
export const updateRoutingRule = operation({
  name: 'routingRules.update',
  method: 'PATCH',
  url: '/v2/sip/routing-rule/:ruleId',
  family: 'sip',
  tag: 'Routing rules',
  schema: {
    summary: 'Change a routing rule',
    description:
      'Changes the fields that are sent; each replaces what was there, `room` as a whole. null takes a field back ' +
      'to its default, or removes it. Calls that are not dialed yet follow it; a batch call keeps its agent. ' +
      'Fields that cannot be changed (`type` among them) may be sent back as they were answered. 409 if a number would be taken off, or the room become static, while an ' +
      'unfinished batch call uses the rule, or if a number has another inbound rule.',
    params: RuleParams,
    body: UpdateRoutingRule,
    bodyProblems: fieldProblems,
    response: { 200: RoutingRule },
    errors: [409],
  },

  async handler({ params, body, caller }, deps) {
    try {
      const rule = await deps.database.db.transaction().execute((tx) => change(tx, params.ruleId, body, caller, deps));
      return { status: 200, body: rule };
    } catch (error) {
      throw attachFailure(error);
    }
  },
});
