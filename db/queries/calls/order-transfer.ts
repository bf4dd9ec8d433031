import { dialingHoldWords } from '../../../domain/account/dialing-hold.js';
import { conflict, forbidden } from '../../../domain/errors.js';
import { refusalOf, refusalWords } from '../../../domain/account/guardrails.js';
import { ungrantedWords } from '../../../domain/account/grants.js';
import { cutText } from '../../../domain/input/problem-limit.js';
import { numbersOfTarget, readTransferTarget } from '../../../domain/call/transfer-target.js';
import type { TransferMode } from '../../../domain/call/warm-transfer.js';
import type { Db } from '../../client.js';
import { dialingHoldOf } from '../accounts/suspension.js';
import { requestTransfer, targetGatewayOf } from './control.js';
import { isOnDoNotCallList } from './calls.js';
import { ungrantedOfCall } from '../accounts/grants.js';
import { guardrailsInForce } from '../accounts/guardrails.js';

/** A request for a transfer of a call of the account. */
export interface TransferWish {
  readonly accountId: string;
  /** The bare UUID. */
  readonly callId: string;
  /** As `readTransferTarget` takes it; anything else is refused. */
  readonly to: string;
  /** Omitted: cold. A warm one takes only what `warmTargetNumber` does. */
  readonly mode?: TransferMode;
  /** Of the leg of this attempt alone: an agent speaks for no later one. Omitted: of whichever is live. */
  readonly attempt?: number;
}

const obstacles = {
  not_answered: 'Only an answered call can be transferred',
  being_hung_up: 'The call is being hung up',
  being_transferred: 'The call is being transferred already',
  handed_over: 'The call has been handed over already',
  no_agent: 'No agent speaks in this call: it can only be transferred cold',
};

const noGateway = (number: string): string =>
  `No outbound gateway is attached to ${number}, by which the target could be called: attach it to one with ` +
  'PATCH /v2/sip/outbound-gateways/{outboundGatewayId}, or transfer cold';

/** A host in the spelling of `OperatorLimits.transferHosts`. */
const hostName = (host: string): string => host.toLowerCase().replace(/\.$/, '');

/** Both numbers of a call. */
interface EndsOfCall {
  /** The account's: the one that the callee sees, or that the caller has called. */
  readonly own: string;
  /** That of the callee, or of the caller of a call that came in; a caller may hide theirs. */
  readonly other: string;
  /** Who is at the other end. */
  readonly who: 'callee' | 'caller';
}

async function endsOf(db: Db, { accountId, callId }: TransferWish): Promise<EndsOfCall> {
  const call = await db
    .selectFrom('calls')
    .select(['type', 'from_number', 'to_number'])
    .where('account_id', '=', accountId)
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();
  return call.type === 'inbound'
    ? { own: call.to_number, other: call.from_number, who: 'caller' }
    : { own: call.from_number, other: call.to_number, who: 'callee' };
}

/**
 * Refuses a target that no call may reach: a transfer makes the carrier call it on the account's bill.
 *
 * @param gatewayId by which a warm transfer calls its target; omitted: it is not known yet, or the transfer is cold
 * @throws Failure `forbidden`, with a message for the client
 */
export async function requireTransferable(db: Db, wish: TransferWish, gatewayId?: string | null): Promise<void> {
  const { accountId, to } = wish;
  const hold = await dialingHoldOf(db, accountId);
  if (hold !== null) throw forbidden(dialingHoldWords[hold]);
  const words = ungrantedWords(await ungrantedOfCall(db, accountId, wish.callId, gatewayId));
  if (words !== null) throw forbidden(words);
  const target = readTransferTarget(to);
  if (target === null) throw forbidden(`Nothing can be transferred to ${cutText(to, 100)}`);
  const { guardrails, homeCountries, operator } = await guardrailsInForce(db, accountId);
  if (target.host !== null && operator.transferHosts?.includes(hostName(target.host)) === false) {
    throw forbidden(`The operator of this service allows no transfers to the host ${target.host}`);
  }
  const { own, other, who } = await endsOf(db, wish);
  const numbers = numbersOfTarget(target, own);
  if (numbers.includes(other)) throw forbidden(`${other} is the number of the ${who}, who is in this call already`);
  for (const number of numbers) {
    if (await isOnDoNotCallList(db, accountId, number)) throw forbidden(`${number} is on the do-not-call list`);
    const refusal = refusalOf(guardrails, homeCountries, own, number);
    if (refusal !== null) throw forbidden(refusalWords[refusal](number));
  }
}

/**
 * Orders the transfer of a locked call, for the API and for agents. The process that holds the leg sends one REFER, or has the
 * target called once, when this is committed, and nothing before.
 *
 * @throws Failure `forbidden` as `requireTransferable` does; `conflict` if the call cannot be transferred now
 */
export async function orderTransfer(tx: Db, wish: TransferWish): Promise<void> {
  const { accountId, callId, mode, attempt } = wish;
  await requireTransferable(tx, wish, mode === 'warm' ? await targetGatewayOf(tx, accountId, callId) : null);
  const obstacle = await requestTransfer(tx, accountId, callId, wish.to, mode, attempt);
  if (obstacle === 'no_gateway') throw conflict(noGateway((await endsOf(tx, wish)).own));
  if (obstacle !== null) throw conflict(obstacles[obstacle]);
}
