import { findRule } from '../../db/queries/telephony/routing-rules.js';
import { operation } from '../operation.js';
import { noSuchRule, RuleParams } from './missing.js';
import { RoutingRule, routingRuleBody } from './schema.js';

/** GET /v2/sip/routing-rule/{id} */
export const getRoutingRule = operation({
  name: 'routingRules.get',
  method: 'GET',
  url: '/v2/sip/routing-rule/:ruleId',
  family: 'sip',
  tag: 'Routing rules',
  schema: {
    summary: 'Get a routing rule',
    description: 'The rule, as in the list.',
    params: RuleParams,
    response: { 200: RoutingRule },
  },

  async handler({ params, caller }, deps) {
    const rule = await findRule(deps.database.db, caller.accountId, params.ruleId);
    if (rule === null) throw noSuchRule();
    return { status: 200, body: routingRuleBody(rule, caller, deps) };
  },
});
