import type { Db } from '../../client.js';
import type { BatchRoute } from './create.js';
import {
  lockActiveAgent,
  lockNumber,
  lockOutboundGateway,
  lockOutboundRules,
  lockRule,
  lockRuleNumber,
  type CallingNumber,
  type CallingRule,
} from './route.js';
import { maxCostProblems } from './max-cost.js';
import { ungrantedOfRoute } from '../accounts/grants.js';
import { lockVariants } from './variants.js';
import { variantProblems } from '../../../domain/batch/variants.js';
import { countNumbers } from '../telephony/number-limits.js';
import type { BatchForm } from '../../../domain/batch/form.js';
import { invalid, notFound, type Problem } from '../../../domain/errors.js';
import { timeZonesOf, type TimeZonesByPrefix } from '../../../domain/phone/phone-time-zones.js';
import { refuseUngranted } from '../../../domain/account/grants.js';

/** The fields of the form that select number and rule. */
type AskedRoute = Pick<
  BatchForm,
  'phoneNumber' | 'phoneNumberId' | 'phoneNumbers' | 'routingRuleId' | 'variants' | 'maxCost'
>;

async function numberOf(tx: Db, accountId: string, form: AskedRoute): Promise<CallingNumber> {
  const number = await lockNumber(tx, accountId, { id: form.phoneNumberId, e164: form.phoneNumber });
  if (number === null) throw notFound('Phone number not found');
  if (form.phoneNumber !== null && form.phoneNumber !== number.e164) {
    // Whether the other number exists at all comes first: as if it had been sent alone.
    if ((await lockNumber(tx, accountId, { id: null, e164: form.phoneNumber })) === null) {
      throw notFound('Phone number not found');
    }
    const message = 'is not the id of phoneNumber; send one of the two';
    throw invalid('The form is not valid', [{ path: 'phoneNumberId', code: 'INVALID_VALUE', message }]);
  }
  return number;
}

async function ruleOf(tx: Db, accountId: string, number: CallingNumber, ruleId: string | null): Promise<CallingRule> {
  if (ruleId === null) {
    const [rule, second] = await lockOutboundRules(tx, accountId, number.id);
    if (rule === undefined) throw invalid(`${number.e164} has no outbound routing rule`);
    if (second !== undefined) {
      throw invalid(`${number.e164} has several outbound routing rules: say which one with routingRuleId`);
    }
    return rule;
  }
  const rule = await lockRule(tx, accountId, ruleId);
  if (rule === null) throw notFound('Routing rule not found', 'routing-rule');
  if (rule.type !== 'outbound') throw invalid('The routing rule is not an outbound one');
  if (!(await lockRuleNumber(tx, rule.id, number.id))) {
    throw invalid(`The routing rule is not attached to ${number.e164}`);
  }
  return rule;
}

/** The agent of a batch: that of its rule, or the first of its variants. */
async function agentOf(
  tx: Db,
  accountId: string,
  { agentId }: CallingRule,
  variants: BatchForm['variants'],
): Promise<string> {
  const [first] = variants ?? [];
  if (variants !== null && first !== undefined) {
    const problems = variantProblems(variants, await lockVariants(tx, accountId, variants));
    if (problems.length > 0) throw invalid('The form is not valid', problems);
    return first.agentId;
  }
  if (agentId === null || !(await lockActiveAgent(tx, accountId, agentId))) {
    throw invalid('The agent of the routing rule is not active: deploy it first');
  }
  return agentId;
}

/**
 * What a batch will call from and with, locked against being taken away until the transaction ends
 * (docs/conformance.md, POST /v1/batch-calls, preconditions).
 *
 * @throws Failure `not_found` for a number or rule that the account does not have, `invalid` for what cannot be used
 */
export async function lockBatchRoute(tx: Db, accountId: string, form: AskedRoute): Promise<BatchRoute> {
  const route = await (form.phoneNumbers === null
    ? lockRouteOfOne(tx, accountId, form)
    : lockRouteOfMany(tx, accountId, form, form.phoneNumbers));
  const problems = await maxCostProblems(tx, accountId, route.gatewayId, form.maxCost);
  if (problems.length > 0) throw invalid('The form is not valid', problems);
  return route;
}

async function lockRouteOfMany(
  tx: Db,
  accountId: string,
  form: AskedRoute,
  phoneNumbers: readonly string[],
): Promise<BatchRoute> {
  const [first] = phoneNumbers;
  if (first === undefined) throw invalid('phoneNumbers names no number');
  // In the order of the numbers, as everything that locks several.
  const numbers = new Map<string, CallingNumber>();
  for (const e164 of [...phoneNumbers].sort()) {
    const number = await lockNumber(tx, accountId, { id: null, e164 });
    if (number !== null) numbers.set(e164, number);
  }
  const gateways = new Map<string, string>();
  for (const [e164, { id }] of numbers) {
    const gatewayId = await lockOutboundGateway(tx, accountId, id);
    if (gatewayId !== null) gateways.set(e164, gatewayId);
  }
  const problems = phoneNumbers.flatMap((e164, place): Problem[] => {
    const problem = (message: string) => [{ path: `phoneNumbers.${place}`, code: 'INVALID_VALUE', message }];
    if (!numbers.has(e164)) return problem(`${e164} is no number of the account`);
    const gatewayId = gateways.get(e164);
    if (gatewayId === undefined) return problem(`${e164} has no outbound gateway attached`);
    const ofFirst = gateways.get(first);
    return ofFirst !== undefined && gatewayId !== ofFirst
      ? problem(`${e164} goes out by another gateway than ${first}; all numbers of a batch call go out by one`)
      : [];
  });
  if (problems.length > 0) throw invalid('The form is not valid', problems);
  const route = await lockRouteOfOne(tx, accountId, { ...form, phoneNumber: first, phoneNumberId: null });
  for (const [place, e164] of phoneNumbers.entries()) {
    refuseUngranted(await ungrantedOfRoute(tx, accountId, { number: e164, gatewayId: route.gatewayId }));
    if (await lockRuleNumber(tx, route.ruleId, numbers.get(e164)?.id ?? '')) continue;
    const message = `${e164} is not served by the routing rule ${route.ruleId}; attach it there`;
    problems.push({ path: `phoneNumbers.${place}`, code: 'INVALID_VALUE', message });
  }
  if (problems.length > 0) throw invalid('The form is not valid', problems);
  return route;
}

async function lockRouteOfOne(tx: Db, accountId: string, form: AskedRoute): Promise<BatchRoute> {
  const number = await numberOf(tx, accountId, form);
  const gatewayId = await lockOutboundGateway(tx, accountId, number.id);
  if (gatewayId === null) throw invalid(`${number.e164} has no outbound gateway attached`);
  refuseUngranted(await ungrantedOfRoute(tx, accountId, { number: number.e164, gatewayId }));
  const rule = await ruleOf(tx, accountId, number, form.routingRuleId);
  if (rule.roomType === 'static') {
    throw invalid('The routing rule has a static room: the callees of a batch would all meet in it');
  }
  const agentId = await agentOf(tx, accountId, rule, form.variants);
  return { numberId: number.id, fromNumber: number.e164, gatewayId, ruleId: rule.id, agentId };
}

/**
 * Has the numbers of a new batch counted; null: it has one, which is counted only for its own limits.
 *
 * @param zones time zones of numbers; a number's day begins at midnight of the first of its own
 */
export async function countNumbersOf(
  tx: Db,
  accountId: string,
  phoneNumbers: readonly string[] | null,
  zones: TimeZonesByPrefix,
): Promise<void> {
  if (phoneNumbers === null) return;
  await countNumbers(tx, accountId, phoneNumbers, (e164) => timeZonesOf(e164, zones)[0] ?? 'UTC');
}
