import { v7 } from 'uuid';
import { insertRule } from '../../db/queries/telephony/routing-rules.js';
import { formatId } from '../../domain/ids.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { columnsOf } from './columns.js';
import { CreateRoutingRule, createBodyProblems } from './create-body.js';
import { attachFailure, lockReferences, refuseSecondInboundRule } from './references.js';
import { RoutingRule, routingRuleBody } from './schema.js';

/** POST /v2/sip/routing-rule */
export const createRoutingRule = operation({
  name: 'routingRules.create',
  method: 'POST',
  url: '/v2/sip/routing-rule',
  family: 'sip',
  tag: 'Routing rules',
  idempotent: true,
  schema: {
    summary: 'Create a routing rule',
    description:
      'Attaches an agent to numbers. A number has at most one inbound rule (another is 409); of several outbound ' +
      'ones, the oldest is the first. An inbound rule takes calls once it or the inbound gateway sets who may call: ' +
      '`allowedIpAddresses`, or `auth` or `allowedAddresses` of the gateway; if both have a list, a caller must be ' +
      'in both. A rule with a static room cannot serve a batch: its callees would meet.',
    body: CreateRoutingRule,
    bodyProblems: createBodyProblems,
    response: { 201: RoutingRule },
  },

  async handler(request, deps) {
    const { body, caller } = request;
    const { accountId } = caller;
    try {
      return await withIdempotency(request, deps, body, async (tx) => {
        const numbers = await lockReferences(tx, accountId, {
          numbers: body.phoneNumbers ?? body.numbers ?? [],
          numbersField: body.phoneNumbers === undefined ? 'numbers' : 'phoneNumbers',
          agentId: body.agentId,
          apiKey: body.apiKey,
        });
        if (body.type === 'inbound') await refuseSecondInboundRule(tx, accountId, numbers);
        const id = formatId('rule', v7());
        const apiKeyId = body.apiKey ?? caller.keyId;
        const columns = columnsOf(body, { accountId, ruleId: id }, deps);
        const row = { id, account_id: accountId, type: body.type, api_key_id: apiKeyId, ...columns };
        const rule = await insertRule(tx, row, numbers);
        await recordAudit(tx, caller, 'routing-rule.create', rule.id, { name: rule.name, type: rule.type });
        return { status: 201 as const, body: routingRuleBody(rule, caller, deps) };
      });
    } catch (error) {
      throw attachFailure(error);
    }
  },
});
