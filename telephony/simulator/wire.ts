import { z } from 'zod';
import type { InviteKey } from '../../domain/call/attempt-key.js';

/**
 * What is said between the simulated carrier and its driver over HTTP: JSON requests, and for a leg a stream of JSON
 * lines that ends with its result. docs/simulator.md lists the endpoints.
 */
export const LegRef = z.object({
  callId: z.string().min(1).max(100),
  attempt: z.int().min(1),
  invite: z.int().min(1),
  gatewayId: z.string().min(1).max(100),
  room: z.string().max(300),
});
export type LegRef = z.infer<typeof LegRef>;

/** Legs that are prepared together. */
export const Rooms = z.object({ legs: z.array(LegRef).min(1).max(2_000) });

export const LegOrder = LegRef.extend({
  to: z.string().min(1).max(40),
  from: z.string().max(40),
  ringTimeoutSeconds: z.number().positive(),
  maxCallSeconds: z.number().positive(),
  disclosure: z.string().max(1000).exactOptional(),
});
export type LegOrder = z.infer<typeof LegOrder>;

export const HangUp = LegRef.extend({ reason: z.string().max(200) });
export const Transfer = LegRef.extend({ transferTo: z.string().min(1).max(300) });
const transferId = z.string().min(1).max(40);
export const CallTarget = LegRef.extend({
  transferId,
  transferTo: z.string().min(1).max(40),
  ringTimeoutSeconds: z.number().positive(),
  /** The call came in by another way: the carrier has no leg of it. */
  cameIn: z.boolean().exactOptional(),
});
export type CallTarget = z.infer<typeof CallTarget>;
export const HangUpTarget = LegRef.extend({ transferId });
export const GatewayQuery = z.object({ gatewayId: z.string().min(1).max(100) });

const AnsweredBy = z.enum(['human', 'machine', 'unknown']);

export const LegResult = z.object({
  how: z.enum([
    'ended',
    'refused',
    'ring_timeout',
    'cancelled',
    'no_response',
    'gateway_fault',
    'agent_missing',
    'not_sent',
    'unknown',
  ]),
  at: z.string(),
  rang: z.boolean(),
  sipStatusCode: z.int().exactOptional(),
  sipPhrase: z.string().exactOptional(),
  reason: z.string().exactOptional(),
  answeredAt: z.string().exactOptional(),
  answeredBy: AnsweredBy.exactOptional(),
  callbackAt: z.string().exactOptional(),
  transcript: z
    .array(z.object({ speaker: z.enum(['agent', 'callee']), text: z.string(), at: z.string() }))
    .exactOptional(),
});
export type LegResult = z.infer<typeof LegResult>;

/** One line of the stream of a leg. The first is `placed`: the ledger holds the INVITE. The last is `over`. */
export const LegLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('placed') }),
  z.object({ type: z.literal('ringing'), at: z.string() }),
  z.object({ type: z.literal('answered'), at: z.string(), answeredBy: AnsweredBy }),
  z.object({ type: z.literal('over'), result: LegResult }),
]);
export type LegLine = z.infer<typeof LegLine>;

export const ReconcileAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['live', 'fenced']) }),
  z.object({ state: z.literal('over'), result: LegResult }),
]);
export type ReconcileAnswer = z.infer<typeof ReconcileAnswer>;

export const CheckAnswer = z.object({
  reachable: z.boolean(),
  statusCode: z.int().exactOptional(),
  milliseconds: z.number().exactOptional(),
  message: z.string(),
});
export type CheckAnswer = z.infer<typeof CheckAnswer>;

export const TransferAnswer = z.object({
  transferred: z.boolean(),
  sipStatusCode: z.int().exactOptional(),
  message: z.string(),
});
export type TransferAnswer = z.infer<typeof TransferAnswer>;

/** Of a warm transfer: also when its target was on the telephone. */
export const TargetAnswer = TransferAnswer.extend({
  answeredAt: z.string().exactOptional(),
  leftAt: z.string().exactOptional(),
});
export type TargetAnswer = z.infer<typeof TargetAnswer>;

/** Names an INVITE in maps and in the ledger. */
export const legKey = (ref: InviteKey): string => `${ref.callId}_${ref.attempt}_${ref.invite}`;
