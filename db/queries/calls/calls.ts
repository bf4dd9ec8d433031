import { sql, type Selectable } from 'kysely';
import type { Db } from '../../client.js';
import { ofOneInstant } from '../one-instant.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';
import type { CallAttempts, Calls, CallTransfers } from '../../types.js';
import { withAttempts } from './list.js';

export interface CallGateway {
  readonly id: string;
  readonly sipRegion: string;
  /** Callees that it may call; empty: all. */
  readonly allowedNumbers: readonly string[];
}

/** An outbound gateway of the account, or null. */
export async function findOutboundGateway(db: Db, accountId: string, gatewayId: string): Promise<CallGateway | null> {
  const row = await db
    .selectFrom('gateways')
    .select(['id', 'sip_region as sipRegion', 'allowed_numbers as allowedNumbers'])
    .where('account_id', '=', accountId)
    .where('id', '=', gatewayId)
    .where('direction', '=', 'outbound')
    .executeTakeFirst();
  return row ?? null;
}

/** A rule's settings for its calls: the room and the allowed numbers. Null if the account has no such rule. */
export async function findRuleOfCall(db: Db, accountId: string, ruleId: string) {
  const row = await db
    .selectFrom('routing_rules')
    .select(['room_type', 'room_prefix', 'room_id', 'hide_phone_number', 'allowed_numbers'])
    .where('account_id', '=', accountId)
    .where('id', '=', ruleId)
    .executeTakeFirst();
  return row ?? null;
}

export async function isOnDoNotCallList(db: Db, accountId: string, e164: string): Promise<boolean> {
  const row = await db
    .selectFrom('do_not_call')
    .select('e164')
    .where('account_id', '=', accountId)
    .where('e164', '=', e164)
    .executeTakeFirst();
  return row !== undefined;
}

export interface NewCall {
  /** The bare UUID. */
  readonly id: string;
  readonly accountId: string;
  readonly to: string;
  readonly from: string;
  readonly ruleId: string;
  readonly gatewayId: string;
  readonly agentId: string;
  readonly region: string;
  readonly roomId: string;
  readonly participant: object | null;
  /** Options of the request beyond the rule; null without any. */
  readonly options: object | null;
  readonly metadata: object;
  readonly simulated: boolean;
}

export type CallRow = Omit<Selectable<Calls>, 'reason'> & { readonly reason: EndReason | null };

/** Stores a single call. Nothing dials it before it is queued. */
export async function insertCall(tx: Db, call: NewCall): Promise<CallRow> {
  return tx
    .insertInto('calls')
    .values({
      id: call.id,
      account_id: call.accountId,
      position: 0,
      type: 'outbound',
      to_number: call.to,
      from_number: call.from,
      rule_id: call.ruleId,
      gateway_id: call.gatewayId,
      agent_id: call.agentId,
      region: call.region,
      room_id: call.roomId,
      participant: call.participant === null ? null : JSON.stringify(call.participant),
      options: call.options === null ? null : JSON.stringify(call.options),
      metadata: JSON.stringify(call.metadata),
      status: 'pending',
      simulated: call.simulated,
    })
    .returningAll()
    .$narrowType<{ reason: EndReason | null }>()
    .executeTakeFirstOrThrow();
}

export interface CallWithAttempts {
  readonly call: CallRow;
  readonly attempts: readonly Selectable<CallAttempts>[];
  readonly transfers: readonly Selectable<CallTransfers>[];
  /** Of the batch that it belongs to; null: it belongs to none, or that was deleted. */
  readonly batchName: string | null;
  /** Whether there is a recording of it, or one is being made. */
  readonly isRecorded: boolean;
  /** Of the costs of its attempts; null: they have none. */
  readonly currency: string | null;
}

/** A call of the account with its attempts in order; null if there is none. To be asked in a transaction. */
export async function findCallIn(tx: Db, accountId: string, callId: string): Promise<CallWithAttempts | null> {
  const call = await tx
    .selectFrom('calls')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`${callId}::uuid`)
    .$narrowType<{ reason: EndReason | null }>()
    .executeTakeFirst();
  const [found] = call === undefined ? [] : await withAttempts(tx, accountId, [call]);
  return found ?? null;
}

/** The same, as it was at one moment. */
export function findCall(db: Db, accountId: string, callId: string): Promise<CallWithAttempts | null> {
  return ofOneInstant(db, (tx) => findCallIn(tx, accountId, callId));
}
