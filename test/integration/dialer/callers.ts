import { v7 as uuid } from 'uuid';
import { inboundAnswered, inboundCall, inboundEnded } from '../../../db/queries/calls/inbound.js';
import { inboundAttributes } from '../../../domain/call/inbound-line.js';
import { readInboundLeg } from '../../../domain/call/inbound-call.js';
import { formatId } from '../../../domain/ids.js';
import type { DialerTestEnv, Gateway } from './test-env.js';

/** A number that takes calls and calls out by a gateway, with its callers. */
export interface CalledNumber {
  readonly number: string;
  /** A call comes in and its agent answers. @returns its id */
  comesIn(): Promise<string>;
  /** The caller hangs up, and the keeper of inbound calls notes it. */
  hangsUp(callId: string): Promise<void>;
}

const caller = '+15550300001';

/** @param region whose LiveKit takes the calls */
export async function aCalledNumber(
  { database: { db }, accountId }: Pick<DialerTestEnv, 'database' | 'accountId'>,
  gateway: Gateway,
  region = 'default',
): Promise<CalledNumber> {
  const owner = { account_id: accountId };
  const { id: numberId } = await db
    .selectFrom('phone_numbers')
    .select('id')
    .where('account_id', '=', accountId)
    .where('e164', '=', gateway.e164)
    .executeTakeFirstOrThrow();
  const { id: agentId } = await db
    .selectFrom('agents')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const [inboundGatewayId, ruleId] = [formatId('inboundGateway', uuid()), formatId('rule', uuid())];
  const link = { ...owner, number_id: numberId, e164: gateway.e164 };
  await db
    .insertInto('gateways')
    .values({ ...owner, id: inboundGatewayId, direction: 'inbound', name: 'In', sip_region: region })
    .execute();
  await db
    .insertInto('number_gateways')
    .values([
      { ...link, direction: 'inbound', gateway_id: inboundGatewayId },
      { ...link, direction: 'outbound', gateway_id: gateway.id },
    ])
    .execute();
  await db
    .insertInto('routing_rules')
    .values({ ...owner, id: ruleId, type: 'inbound', name: 'In', agent_id: agentId })
    .execute();
  await db
    .insertInto('rule_numbers')
    .values({ ...link, rule_id: ruleId, type: 'inbound', position: 0 })
    .execute();

  return {
    number: gateway.e164,
    async comesIn() {
      const attributes = {
        ...{ [inboundAttributes.rule]: ruleId, [inboundAttributes.number]: gateway.e164 },
        ...{ 'sip.callIDFull': uuid(), 'sip.phoneNumber': caller },
      };
      const leg = readInboundLeg(attributes);
      const call = leg && (await inboundCall(db, { leg, region, room: `inbound_${uuid()}`, identity: 'sip_caller' }));
      if (call === null) throw new Error('No rule takes the call.');
      await inboundAnswered(db, call, new Date());
      return call.callId;
    },
    async hangsUp(callId) {
      await inboundEnded(db, { callId, accountId }, { at: new Date(), callStatus: '', transferring: false });
    },
  };
}
