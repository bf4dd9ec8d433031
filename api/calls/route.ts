import type { Db } from '../../db/client.js';
import {
  lockActiveAgent,
  lockNumber,
  lockOutboundGateway,
  lockOutboundRules,
  lockRule,
  lockRuleNumber,
  type CallingRule,
} from '../../db/queries/batches/route.js';
import {
  findOutboundGateway,
  findRuleOfCall,
  isOnDoNotCallList,
  type CallGateway,
} from '../../db/queries/calls/calls.js';
import { ungrantedOfRoute } from '../../db/queries/accounts/grants.js';
import { dialingHoldOf } from '../../db/queries/accounts/suspension.js';
import { isNumberAllowed } from '../../domain/phone/allowed-number.js';
import { dialingHoldWords } from '../../domain/account/dialing-hold.js';
import { forbidden, invalid, notFound } from '../../domain/errors.js';
import type { RoomRule } from '../../domain/call/room.js';
import { refuseUngranted } from '../../domain/account/grants.js';
import type { CreateCall } from './create-body.js';

export interface CallRoute {
  readonly gateway: CallGateway;
  readonly ruleId: string;
  readonly agentId: string;
  readonly room: RoomRule;
}

async function lockGateway(tx: Db, accountId: string, numberId: string, body: CreateCall): Promise<CallGateway> {
  const attached = await lockOutboundGateway(tx, accountId, numberId);
  if (body.gatewayId !== undefined && body.gatewayId !== attached) {
    if ((await findOutboundGateway(tx, accountId, body.gatewayId)) === null)
      throw notFound('Outbound gateway not found');
    throw invalid(`Gateway ${body.gatewayId} is not attached to ${body.sipCallFrom}`);
  }
  if (attached === null) throw invalid(`No outbound gateway is attached to ${body.sipCallFrom}`);
  const gateway = await findOutboundGateway(tx, accountId, attached);
  if (gateway === null) throw notFound('Outbound gateway not found');
  return gateway;
}

async function lockChosenRule(tx: Db, accountId: string, numberId: string, body: CreateCall): Promise<CallingRule> {
  const { routingRuleId, sipCallFrom } = body;
  if (routingRuleId === undefined) {
    const [oldest] = await lockOutboundRules(tx, accountId, numberId);
    if (oldest === undefined) throw invalid(`${sipCallFrom} has no outbound routing rule`);
    return oldest;
  }
  const rule = await lockRule(tx, accountId, routingRuleId);
  if (rule === null) throw notFound('Routing rule not found');
  if (rule.type !== 'outbound') throw invalid('The routing rule is not an outbound one');
  if (!(await lockRuleNumber(tx, rule.id, numberId)))
    throw invalid(`The routing rule is not attached to ${sipCallFrom}`);
  return rule;
}

/**
 * Number, gateway link, rule and agent of a call, locked until the transaction ends, so that none of them can go away
 * unseen between the check and the commit.
 *
 * @throws Failure that says which of them is missing, or why the callee may not be called
 */
export async function lockCallRoute(tx: Db, accountId: string, body: CreateCall): Promise<CallRoute> {
  const number = await lockNumber(tx, accountId, { id: null, e164: body.sipCallFrom });
  if (number === null) throw notFound(`Phone number ${body.sipCallFrom} not found`);
  const gateway = await lockGateway(tx, accountId, number.id, body);
  const rule = await lockChosenRule(tx, accountId, number.id, body);
  const room = await findRuleOfCall(tx, accountId, rule.id);
  if (room === null || rule.agentId === null) throw invalid('The routing rule has no agent');
  if (!(await lockActiveAgent(tx, accountId, rule.agentId))) {
    throw invalid('The agent of the routing rule is not active. Deploy it first.');
  }
  if (!isNumberAllowed(gateway.allowedNumbers, body.sipCallTo)) {
    throw invalid(`The outbound gateway does not allow calls to ${body.sipCallTo}`);
  }
  if (!isNumberAllowed(room.allowed_numbers, body.sipCallTo)) {
    throw invalid(`The routing rule does not allow calls to ${body.sipCallTo}`);
  }
  refuseUngranted(await ungrantedOfRoute(tx, accountId, { number: number.e164, gatewayId: gateway.id }));
  const hold = await dialingHoldOf(tx, accountId);
  if (hold !== null) throw forbidden(dialingHoldWords[hold]);
  if (await isOnDoNotCallList(tx, accountId, body.sipCallTo)) {
    throw forbidden(`${body.sipCallTo} is on the do-not-call list`);
  }
  return { gateway, ruleId: rule.id, agentId: rule.agentId, room };
}
