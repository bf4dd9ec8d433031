import { v7 } from 'uuid';
import type { Db } from '../../db/client.js';
import { isKeyOfAccount } from '../../db/queries/keys.js';
import {
  insertRule,
  lockAgent,
  lockNumbers,
  numbersWithInboundRule,
  type RuleNumber,
} from '../../db/queries/routing-rules.js';
import { isUniqueViolation } from '../../db/unique-violation.js';
import { conflict, type Problem } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation, type Caller } from '../operation.js';
import { invalidRequest } from '../validation.js';
import { CreateRoutingRule, createBodyProblems } from './create-body.js';
import { RoutingRule, routingRuleBody } from './schema.js';

/** What the rule refers to, locked; everything that is not the account's is named at once. */
async function lockReferences(
  tx: Db,
  { accountId }: Caller,
  { phoneNumbers, numbers, agentId, apiKey }: CreateRoutingRule,
): Promise<RuleNumber[]> {
  const problems: Problem[] = [];
  const wrong = (path: string, message: string) => problems.push({ path, code: 'INVALID_VALUE', message });

  const field = phoneNumbers === undefined ? 'numbers' : 'phoneNumbers';
  const wanted = phoneNumbers ?? numbers ?? [];
  const found = new Map((await lockNumbers(tx, accountId, wanted)).map((number) => [number.e164, number]));
  wanted.forEach((e164, index) => {
    if (!found.has(e164)) wrong(`${field}[${index}]`, `${e164} is not a number of this account`);
  });
  if (agentId !== undefined && !(await lockAgent(tx, accountId, agentId))) {
    wrong('agentId', 'is not an agent of this account');
  }
  if (apiKey !== undefined && !(await isKeyOfAccount(tx, accountId, apiKey))) {
    wrong('apiKey', 'is not the id of a key of this account');
  }
  if (problems.length > 0) throw invalidRequest(problems);
  return wanted.flatMap((e164) => found.get(e164) ?? []);
}

async function refuseSecondInboundRule(tx: Db, accountId: string, numbers: readonly RuleNumber[]): Promise<void> {
  const taken = await numbersWithInboundRule(
    tx,
    accountId,
    numbers.map(({ numberId }) => numberId),
  );
  if (taken.length > 0) throw conflict(`These numbers already have an inbound rule: ${taken.join(', ')}`);
}

/** POST /v2/sip/routing-rule */
export const createRoutingRule = operation({
  method: 'POST',
  url: '/v2/sip/routing-rule',
  family: 'sip',
  tag: 'Routing rules',
  idempotent: true,
  schema: {
    summary: 'Create a routing rule',
    description:
      'Attaches an agent to numbers. A number has at most one inbound rule; of several outbound ones the oldest is the first. A rule with a static room cannot serve a batch: its callees would meet.',
    body: CreateRoutingRule,
    bodyProblems: createBodyProblems,
    response: { 201: RoutingRule },
  },

  async handler(request, deps) {
    const { body, caller } = request;
    try {
      return await withIdempotency(request, deps, body, async (tx) => {
        const numbers = await lockReferences(tx, caller, body);
        if (body.type === 'inbound') await refuseSecondInboundRule(tx, caller.accountId, numbers);
        const rule = await insertRule(
          tx,
          {
            id: formatId('rule', v7()),
            account_id: caller.accountId,
            type: body.type,
            name: body.name,
            agent_id: body.agentId ?? null,
            agent_metadata: JSON.stringify(body.agentMetadata),
            room_type: body.room.type,
            room_prefix: body.room.prefix,
            room_id: body.room.id ?? null,
            room_pin: body.room.pin ?? null,
            api_key_id: body.apiKey ?? caller.keyId,
            include_headers: body.includeHeaders,
            headers: JSON.stringify(body.headers),
            headers_to_attributes: JSON.stringify(body.headersToAttributes),
            allowed_numbers: body.allowedNumbers,
            allowed_ip_addresses: body.allowedIpAddresses,
            tags: body.tags,
            recording: body.recording,
            dtmf: body.dtmf,
            noise_cancellation: body.noiseCancellation,
            hide_phone_number: body.hidePhoneNumber,
          },
          numbers,
        );
        await recordAudit(tx, caller, 'routing-rule.create', rule.id, { name: rule.name, type: rule.type });
        return { status: 201 as const, body: routingRuleBody(rule) };
      });
    } catch (error) {
      // The index decides between two requests that both found the number free.
      if (isUniqueViolation(error, 'rule_numbers')) {
        throw conflict('Another request has just given one of these numbers an inbound rule');
      }
      throw error;
    }
  },
});
