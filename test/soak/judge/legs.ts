import type { LedgerLine } from '../../../telephony/simulator/ledger.js';

interface LegEnd {
  readonly atMs: number;
  readonly how: string;
  readonly code: number;
  readonly phrase: string;
  /** Omitted: a person. */
  readonly by?: 'mailbox' | 'announcement';
}

/** One INVITE and how it ended, as the ledger has them. */
export interface Leg {
  readonly callId: string;
  readonly attempt: number;
  readonly invite: number;
  readonly to: string;
  readonly from: string;
  readonly gatewayId: string;
  readonly atMs: number;
  answeredAtMs: number | undefined;
  end: LegEnd | undefined;
}

export interface CallLegs {
  readonly callId: string;
  readonly to: string;
  /** In the order of their attempts and invites. */
  readonly legs: Leg[];
}

export interface ReadLedger {
  readonly calls: ReadonlyMap<string, CallLegs>;
  /** Attempts by call of which the carrier promised to take no INVITE, and never got one. */
  readonly unsent: ReadonlyMap<string, readonly number[]>;
  /** In the order of the ledger. */
  readonly legs: readonly Leg[];
  /** INVITEs of a reference that had been dialed before. */
  readonly repeated: readonly LedgerLine[];
  /** Limits of the trunk that were exceeded. */
  readonly limits: readonly LedgerLine[];
}

export const msOf = (line: LedgerLine): number => Date.parse(line.at);

/** Puts the ledger's lines together to legs and calls. */
export function readLedger(ledger: readonly LedgerLine[]): ReadLedger {
  const calls = new Map<string, CallLegs>();
  const byKey = new Map<string, Leg>();
  const legs: Leg[] = [];
  const repeated: LedgerLine[] = [];
  const limits: LedgerLine[] = [];
  const fenced: { readonly callId: string; readonly attempt: number }[] = [];
  for (const line of ledger) {
    const { callId, attempt, invite, to, from, gatewayId } = line;
    if (line.event === 'violation') {
      if (line.reason !== 'repeated') limits.push(line);
      continue;
    }
    if (callId === undefined || attempt === undefined || invite === undefined) continue;
    const key = `${callId}/${attempt}/${invite}`;
    const known = byKey.get(key);
    if (line.event === 'fenced') fenced.push({ callId, attempt });
    if (line.event === 'invite') {
      if (known !== undefined) {
        repeated.push(line);
        continue;
      }
      const leg: Leg = {
        ...{ callId, attempt, invite, atMs: msOf(line), answeredAtMs: undefined, end: undefined },
        ...{ to: to ?? '', from: from ?? '', gatewayId: gatewayId ?? '' },
      };
      byKey.set(key, leg);
      legs.push(leg);
      const call = calls.get(callId) ?? { callId, to: leg.to, legs: [] };
      call.legs.push(leg);
      calls.set(callId, call);
    } else if (line.event === 'answered' && known !== undefined) {
      known.answeredAtMs ??= msOf(line);
    } else if (
      (line.event === 'ended' || line.event === 'rejected') &&
      line.reason !== 'repeated' &&
      known !== undefined
    ) {
      const { how = '', sipStatusCode: code = 0, sipPhrase: phrase = '' } = line;
      known.end = { atMs: msOf(line), how, code, phrase, ...answererOf(line) };
    }
  }
  for (const call of calls.values()) call.legs.sort((a, b) => a.attempt - b.attempt || a.invite - b.invite);
  const unsent = new Map<string, number[]>();
  for (const { callId, attempt } of fenced) {
    const known = unsent.get(callId) ?? [];
    const wasSent = calls.get(callId)?.legs.some((leg) => leg.attempt === attempt) === true;
    if (!wasSent && !known.includes(attempt)) unsent.set(callId, [...known, attempt]);
  }
  return { calls, legs, unsent, repeated, limits };
}

function answererOf({ how, reason, answeredBy }: LedgerLine): Pick<LegEnd, 'by'> {
  if (how !== 'ended' || answeredBy !== 'machine') return {};
  return { by: reason === 'announcement' ? 'announcement' : 'mailbox' };
}

/** Whether the carrier refused this INVITE before any telephone could ring, so that the same attempt may be sent again. */
export function carrierTookItNot({ end }: Leg): boolean {
  if (end === undefined) return false;
  if (end.how === 'gateway_fault' || end.how === 'not_sent') return true;
  return end.how === 'refused' && [500, 502, 503].includes(end.code);
}

/** What the end of an INVITE makes of its attempt, in the words of a retry plan, by the table of docs/simulator.md. */
export function outcomeOf({ end }: Leg, rang: boolean): string {
  switch (end?.how) {
    case 'ended':
      if (end.by === 'announcement') return 'missed';
      return end.by === 'mailbox' ? 'voicemail' : 'answered';
    case 'agent_missing':
    case 'cancelled':
      return 'abandoned';
    case 'ring_timeout':
      return rang ? 'not-answered' : 'missed';
    case 'no_response':
      return 'missed';
    case 'refused':
      return refusals.get(end.code) ?? 'failed';
    default:
      return 'failed';
  }
}

const refusals = new Map([
  [486, 'rejected'],
  [603, 'rejected'],
  [480, 'missed'],
]);
