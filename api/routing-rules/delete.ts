import {
  batchOfRule,
  deleteRule,
  lockRuleForUpdate,
  ruleHasOpenCalls,
} from '../../db/queries/telephony/routing-rules.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { noSuchRule, RuleParams } from './missing.js';

/** DELETE /v2/sip/routing-rule/{id} */
export const deleteRoutingRule = operation({
  name: 'routingRules.delete',
  method: 'DELETE',
  url: '/v2/sip/routing-rule/:ruleId',
  family: 'sip',
  tag: 'Routing rules',
  schema: {
    summary: 'Delete a routing rule',
    description:
      'Its numbers stay on the account. 409 while an unfinished batch call uses it, or a call under it is not over.',
    params: RuleParams,
    response: { 200: doneWith('The routing rule is deleted.') },
    errors: [409],
  },

  async handler({ params, caller }, { database: { db } }) {
    const { accountId } = caller;
    await db.transaction().execute(async (tx) => {
      const rule = await lockRuleForUpdate(tx, accountId, params.ruleId);
      if (rule === null) throw noSuchRule();
      const batchId = await batchOfRule(tx, accountId, rule.id);
      if (batchId !== null)
        throw conflict(`${batchId} uses the rule and is not finished. Cancel it, or wait for its end.`);
      if (await ruleHasOpenCalls(tx, accountId, rule.id)) throw conflict('A call by the rule is not over yet');
      await deleteRule(tx, accountId, rule.id);
      await recordAudit(tx, caller, 'routing-rule.delete', rule.id, { name: rule.name });
    });
    return { status: 200, body: { message: 'The routing rule is deleted.' } };
  },
});
